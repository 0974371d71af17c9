"""One module a command.

Module ``NAME`` holds ``add_NAME_parser(subparsers)``, which adds the command's parser and sets its default ``run``: a
function that takes the parsed arguments and returns the exit status. It imports what is heavy inside that function.
Modules that start with an underscore are helpers.
"""
