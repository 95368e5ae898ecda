"""What the rules say, replayed: provisions, ballots, the fold over the ledger, the checks. Pure."""
