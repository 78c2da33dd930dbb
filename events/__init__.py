"""The language, the law and the log: cards, actions, events, entries, rules and the store."""
