"""Starts a sandbox, makes a caller for every security scheme of the document, and runs schemathesis once for each."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
METHODS = {"get", "post", "put", "delete", "patch"}

# What a run would end its own caller with, or everybody's time: these come last.
LAST = ["user_sessions_end", "users_sign_out", "users_change_password", "merchant_accounts_delete", "sandbox_clock_advance"]

# Callers that more is opened by come first in the share of cases; nobody's are few, as nobody gets far.
NOBODY = "none"


def start(program, folder):
    printed, log = folder / "printed", folder / "log"
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    server = subprocess.Popen(
        [program, "--listen", "127.0.0.1:0"], cwd=folder, env=environment,
        stdout=printed.open("w"), stderr=log.open("w"),
    )
    for _ in range(150):
        if "secret key" in printed.read_text():
            break
        if server.poll() is not None:
            sys.exit(f"the server ended at once:\n{log.read_text()}")
        time.sleep(0.2)
    lines = printed.read_text().splitlines()

    def told(what):
        return next(line.split()[-1] for line in lines if what in line)

    return server, {name: told(what) for name, what in [
        ("url", "listens on"), ("api_key", "secret key"), ("admin", "admin key"), ("merchant", "merchant "),
    ]}


class Server:
    def __init__(self, url):
        self.url = url

    def call(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"content-type": "application/json", **headers}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())


def callers(server, keys):
    """What requests may be about, and of each scheme the header that its caller sends, with what else his are about."""
    key = {"api_key": keys["api_key"]}
    merchant = keys["merchant"]
    account = server.call("GET", f"/accounts/{merchant}", api_key=keys["admin"])
    server.call("POST", "/customers", {"customer_id": "ada"}, **key)
    payment = server.call("POST", "/payments", {"amount": 6540, "currency": "USD", "customer_id": "ada", "session_expiry": 7776000}, **key)
    ephemeral = server.call("POST", "/ephemeral_keys", {"customer_id": "ada"}, **key)
    who = {"email": "ada@shop.example", "password": "Correct-horse-1"}
    token = f"Bearer {server.call('POST', '/user/signup', who)['token']}"
    user = server.call("GET", "/user", authorization=token)
    own = {
        "merchant_id": user["merchant_id"],
        "account_id": user["merchant_id"],
        "organization_id": user["org_id"],
        "profile_id": user["profile_id"],
    }
    about = {
        "payment_id": payment["payment_id"],
        "customer_id": "ada",
        "merchant_id": merchant,
        "account_id": merchant,
        "profile_id": account["default_profile"],
        "client_secret": payment["client_secret"],
    }
    api_key = "api-key"
    return about, {
        "api_key": ((api_key, keys["api_key"]), {}),
        "admin_api_key": ((api_key, keys["admin"]), {}),
        "publishable_key": ((api_key, account["publishable_key"]), {}),
        "subscription_client": ((api_key, account["publishable_key"]), {}),
        "sdk_authorization": (("authorization", payment["sdk_authorization"]), {}),
        "ephemeral_key": ((api_key, ephemeral["secret"]), {}),
        "bearer": (("Authorization", token), own),
        NOBODY: (None, {}),
    }


def shares(document, cases, specified=False):
    """Which operations a caller of each scheme tries, and how often each; of all, or of those that the specification defines."""
    pairs = {}
    for item in document["paths"].values():
        for method, operation in item.items():
            if method not in METHODS or (specified and operation["x-multirail-origin"] != "specification"):
                continue
            schemes = [name for entry in operation["security"] for name in entry] or [NOBODY]
            for scheme in schemes:
                pairs.setdefault(scheme, []).append(operation["operationId"])
    everything = [operation for operations in pairs.values() for operation in operations]
    # Without a key everything has to stay shut.
    pairs[NOBODY] = sorted(set(everything))
    count = sum(len(operations) for operations in pairs.values())
    return pairs, max(1, round(cases / count))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--cases", type=int, default=2000, help="about so many requests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the callers of one scheme")
    parser.add_argument("--specified", action="store_true", help="only the operations of the specification")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    server = None
    try:
        server, keys = start(arguments.program, folder)
        there = Server(keys["url"])
        document = there.call("GET", "/openapi.json")
        about, who = callers(there, keys)
        missing = set(document["components"]["securitySchemes"]) - set(who)
        if missing:
            sys.exit(f"nobody calls by {missing}")
        pairs, each = shares(document, arguments.cases, arguments.specified)
        # Each bound and each form of each value: some hundred requests to an operation, however few the others are.
        covers = arguments.specified or each >= 50
        (folder / "openapi.json").write_text(json.dumps(document))
        shutil.copy(HERE / "schemathesis.toml", folder)
        failed = []

        def tries(scheme, operations):
            started = time.monotonic()
            header, own = who[scheme]
            # Nobody's requests are refused before more of them is read.
            is_covered = covers and scheme != NOBODY
            done = run(folder, keys["url"], scheme, operations, header, {**about, **own}, each, arguments.seed, is_covered)
            print(f"\n--> {scheme}, about {each} requests to each of {len(operations)} operations\n{done.stdout}"
                  f"--> {scheme}: {len(operations)} operations, {time.monotonic() - started:.0f} s", flush=True)
            if done.returncode != 0:
                failed.append(scheme)

        wanted = {scheme: operations for scheme, operations in pairs.items() if arguments.only in (None, scheme)}
        if each < 2 and arguments.only is None:
            # Few requests are for those who get somewhere: the kit tries everywhere what nobody is answered.
            del wanted[NOBODY]
        # Two callers at once, each a process of its own: making requests up is most of the work.
        firsts = [(scheme, [one for one in operations if one not in LAST]) for scheme, operations in wanted.items()]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda first: tries(*first), [first for first in firsts if first[1]]))
        for scheme, operations in wanted.items():
            last = [one for one in LAST if one in operations]
            if last:
                tries(scheme, last)
        if server.poll() is not None:
            sys.exit(f"the server has ended:\n{(folder / 'log').read_text()[-4000:]}")
        if failed:
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            sys.exit(f"failed for: {', '.join(failed)}")
    finally:
        if server is not None:
            server.kill()
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def run(folder, url, scheme, operations, header, about, each, seed, covers):
    """What schemathesis said; its exit code is not 0 where it found something."""
    # Of two workers at once one goes through some operations with a handful of requests, as Hypothesis then stops early.
    command = [Path(sys.executable).parent / "schemathesis", "run", folder / "openapi.json", "--url", url,
               "--checks", "all", "--max-examples", str(each), "--seed", str(seed), "--no-color",
               "--workers", "1", "--continue-on-failure", "--generation-database", "none",
               "--phases", "examples,coverage,fuzzing" if covers else "examples,fuzzing"]
    for operation in operations:
        command += ["--include-operation-id", operation]
    if header is not None:
        command += ["--header", f"{header[0]}: {header[1]}"]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"), "HOSTILE_ABOUT": json.dumps(about),
                   "HOSTILE_SCHEME": scheme, "HOSTILE_HEADER": json.dumps(header)}
    return subprocess.run(command, cwd=folder, env=environment, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


if __name__ == "__main__":
    main()
