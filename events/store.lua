#!lua name=cairn

-- Appends one entry to a stream and its pointer to the feed: both, or neither.
--
-- KEYS: the stream, the feed of its shard. ARGV: expected version, body, link, kind of stream, id of stream.
-- Answers the new version; or, if the stream is not at the expected version, nothing is written and the answer is
-- a list: the actual version, then body and link of the entry that stands where this one was to go, if one does.
--
-- The function declares no flags, so a server that is full, read-only or cannot persist refuses the whole call
-- before the first line runs. Versions are compared as text: "07" and "7.0" are no versions.

local function place(number)
  return string.format('%d-0', number)
end

local function standing(stream, expected, actual)
  if not expected or expected < 0 or expected >= actual then
    return {actual}
  end
  local entry = redis.call('XRANGE', stream, place(expected + 1), place(expected + 1))[1]
  return {actual, entry[2][2], entry[2][4]}
end

local function append(keys, args)
  local stream, feed = keys[1], keys[2]
  local actual = redis.call('XLEN', stream)
  if args[1] ~= string.format('%d', actual) then
    return standing(stream, tonumber(args[1]), actual)
  end
  local position = redis.call('XLEN', feed) + 1
  redis.call('XADD', stream, place(actual + 1), 'b', args[2], 'h', args[3])
  local told = redis.pcall('XADD', feed, place(position), 'k', args[4], 'i', args[5], 'v', actual + 1)
  if type(told) == 'table' and told.err then -- only if somebody cut the feed by hand
    redis.call('XDEL', stream, place(actual + 1))
    return redis.error_reply(told.err)
  end
  return actual + 1
end

redis.register_function('append', append)
