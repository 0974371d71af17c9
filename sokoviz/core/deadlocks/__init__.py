"""Why a position can no longer be solved: one kernel a rule, and the searches behind the rules."""
