"""What everything drawn shares: colours, number formats, tables, charts' parts."""
