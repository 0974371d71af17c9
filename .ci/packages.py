"""Install a package of the distribution, where that needs no password."""

from __future__ import annotations

import os
import shutil
import subprocess


def can_install() -> bool:
    """Whether this is a Debian or Ubuntu on which we may install packages."""
    return shutil.which("apt-get") is not None and become_root() is not None


def become_root() -> list[str] | None:
    """Words that make a command run as root: none for root itself, None where a password would be asked for."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def is_offered(package: str, depending_on: str) -> bool:
    """Whether apt knows a package that depends on another one."""
    answer = subprocess.run(["apt-cache", "depends", package], capture_output=True, text=True, check=False)  # noqa: S607
    return answer.returncode == 0 and depending_on in answer.stdout


def update() -> None:
    """Fetch the list of packages."""
    _apt("update")


def install(package: str) -> None:
    """Try to install a package; the caller looks whether it helped."""
    print(f"Installing the package {package} ...", flush=True)
    _apt("install", "--yes", "--no-install-recommends", package)


def _apt(*words: str) -> None:
    """Run apt-get as root, without questions and without a page of progress; errors are shown."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = [*(become_root() or []), "apt-get", "--quiet=2", *words]
    subprocess.run(command, env=environment, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
