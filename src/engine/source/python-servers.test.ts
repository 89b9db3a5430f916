import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseProject } from './analyse-project.ts';

const counts = new Set(['critical', 'high', 'medium']);

const marker = / {2}#([!=]) ([a-z-]+)$/;

/** Lines with `#!` must be reported by the rule behind it, lines with `#=` must not. */
function servers(title: string, ...all: readonly string[]): void {
  for (const [at, server] of all.entries())
    test(`${title} (${at + 1})`, async () => {
      const lines = server.split('\n');
      const text = lines.map((line) => line.replace(marker, '')).join('\n');
      const { observations } = await analyseProject([{ path: 'inn.py', text }]);
      for (const [place, line] of lines.entries()) {
        const [, kind, rule] = marker.exec(line) ?? [];
        if (kind === undefined) continue;
        const isReported = observations.some(
          (each) => each.rule === rule && counts.has(each.severity) && each.location?.startLine === place + 1,
        );
        assert.equal(isReported, kind === '!', line);
      }
    });
}

servers(
  'classes that are picked out of a table, and told of those derived from them',
  `
import subprocess
from pydantic import BaseModel
from typing import Literal
from mcp.server import Server
class Chore:
    known = {}
    def __init_subclass__(cls, *, label):
        Chore.known[label] = cls
    def __init__(self, house):
        self.house = house
class SweepArgs(BaseModel):
    room: str
class Sweep(Chore, label="sweep"):
    async def run(self, args: SweepArgs):
        return subprocess.getoutput(f"sweep {args.room}")  #! command-injection
class RingArgs(BaseModel):
    bell: Literal["door", "desk"]
class Ring(Chore, label="ring"):
    async def run(self, args: RingArgs):
        return subprocess.getoutput(f"ring {args.bell}")  #= command-injection
server = Server("inn")
@server.call_tool()
async def call(name, arguments):
    chore = Chore.known[name]("inn")
    return await chore.run(chore.Args.model_validate(arguments))
`,
  `
import subprocess
from mcp.server.fastmcp import FastMCP
class Order:
    def __init__(self, line):
        self.line = line
    @classmethod
    def read(cls, given):
        return cls(given["line"])
    def serve(self):
        return subprocess.getoutput(self.line)  #! command-injection
mcp = FastMCP("inn")
@mcp.tool()
def order(given: dict) -> str:
    return Order.read(given).serve()
`,
);

servers(
  'what a class does with names that it does not have, and what is said of a protocol',
  `
import httpx
from mcp.server import Server
class Letter:
    def __init__(self, kind, content):
        self.kind = kind
        self.content = content
    def __getattr__(self, name):
        return self.content[name]
class Post:
    def __init__(self):
        self.readers = {}
    def reads(self, kind, /, **words):
        def keep(reader):
            self.readers[kind] = reader
            return reader
        return keep
    async def send(self, kind, content):
        await self.readers[kind](Letter(kind, content))
post = Post()
@post.reads("visit", place="string")
async def _visit(letter: Letter):
    async with httpx.AsyncClient() as client:
        await client.get(letter.place)  #! server-side-request-forgery
@post.reads("stay", place="string")
async def _stay(letter: Letter):
    async with httpx.AsyncClient(base_url="https://inn.example") as client:
        await client.get("/stays", params={"place": letter.place})  #= server-side-request-forgery
server = Server("inn")
@server.call_tool()
async def call(name, arguments):
    await post.send(name, arguments)
`,
  `
import sqlite3
from typing import Protocol
from mcp.server.fastmcp import FastMCP
class Ledger(Protocol):
    def by_guest(self, guest: str) -> list: ...
class FileLedger:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)
    def by_guest(self, guest):
        return self.connection.execute(f"SELECT * FROM stays WHERE guest = '{guest}'").fetchall()  #! sql-injection
class Desk:
    def __init__(self, ledger: Ledger):
        self.ledger = ledger
desk: Desk | None = None
def open_desk():
    global desk
    desk = Desk(FileLedger("inn.db"))
mcp = FastMCP("inn")
@mcp.tool()
def stays(guest: str) -> str:
    return str(desk.ledger.by_guest(guest))
`,
);

servers(
  'what a pattern takes out of what it is compared with',
  `
import os, subprocess
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
@mcp.tool()
def act(wish: dict) -> str:
    match wish:
        case {"kind": "look", "place": place}:
            return os.popen("ls " + place).read()  #! command-injection
        case {"kind": "wait", "minutes": int(minutes)}:
            return os.popen(f"sleep {minutes}").read()  #= command-injection
        case {"kind": "open" | "close" as verb}:
            return os.popen("door open").read()  #= command-injection
        case [first, *_] if first:
            return os.popen(first).read()  #! command-injection
    return "?"
`,
);

servers(
  'tables that grow step by step',
  `
import subprocess
from motor.motor_asyncio import AsyncIOMotorClient
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
stays = AsyncIOMotorClient()["inn"]["stays"]
def start(line, **options):
    options.setdefault("shell", True)
    return subprocess.run(line, **options)  #! command-injection
def begin(words, **options):
    options.setdefault("text", True)
    return subprocess.run(words, **options)  #= command-injection
@mcp.tool()
async def find(guest: str, wish: dict, length: dict) -> list:
    query = {"guest": guest}
    query.update(wish)
    return await stays.find(query).to_list(9)  #! nosql-injection
@mcp.tool()
async def own(guest: str, nights: int) -> list:
    query = {"guest": guest}
    query.update({"nights": nights})
    return await stays.find(query).to_list(9)  #= nosql-injection
@mcp.tool()
async def longer(wish: dict) -> list:
    return await stays.find({"$where": "this.nights > " + wish["length"]}).to_list(9)  #! nosql-injection
@mcp.tool()
def sweep(room: str) -> str:
    return str(start("sweep " + room)) + str(begin(["sweep", "--", room]))
`,
);

servers(
  'archives that are unpacked as a whole',
  `
import io, logging, os, tarfile
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
@mcp.tool()
def unpack(name: str) -> None:
    with tarfile.open("/srv/in/" + os.path.basename(name)) as ball:
        for entry in ball.getmembers():
            if entry.name.startswith("/") or ".." in entry.name:
                logging.warning("odd entry %s", entry.name)
        ball.extractall("/srv/out")  #! path-traversal
@mcp.tool()
def filtered(name: str) -> None:
    with tarfile.open("/srv/in/" + os.path.basename(name)) as ball:
        ball.extractall("/srv/filtered", filter=tarfile.data_filter)  #= path-traversal
@mcp.tool()
def told(data: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        if any(name.startswith("/") for name in tar.getnames()):
            logging.warning("odd entries")
        tar.extractall("/srv/told")  #! path-traversal
@mcp.tool()
def refused(data: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for entry in tar.getmembers():
            if entry.name.startswith("/") or ".." in entry.name:
                raise ValueError(entry.name)
        tar.extractall("/srv/refused")  #= path-traversal
@mcp.tool()
def chosen(data: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        plain = [each for each in tar.getmembers() if each.isfile() and "/" not in each.name]
        tar.extractall("/srv/chosen", members=plain)  #= path-traversal
`,
);

servers(
  'pools, containers, clients of one address, and what is compared of an address',
  `
import os
from concurrent.futures import ThreadPoolExecutor
import docker, httpx
from kubernetes.stream import stream
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
def look(address):
    return httpx.get(address).text  #! server-side-request-forgery
def page(name):
    return httpx.get("https://inn.example/" + name).text  #= server-side-request-forgery
@mcp.tool()
def visit(addresses: list[str], names: list[str]) -> str:
    with ThreadPoolExecutor() as pool:
        return str(list(pool.map(look, addresses))) + str(list(pool.map(page, names)))
@mcp.tool()
def ask(base: str, word: str) -> str:
    with httpx.Client(base_url=base) as client:  #! server-side-request-forgery
        return client.get("/ask", params={"word": word}).text
@mcp.tool()
def cover(page: str, picture: str) -> str:
    if httpx.URL(picture).host != "inn.example":
        raise ValueError(picture)
    return httpx.get(picture).text  #= server-side-request-forgery
@mcp.tool()
def sketch(page: str, picture: str) -> str:
    if httpx.URL(page).host != "inn.example":
        raise ValueError(page)
    return httpx.get(picture).text  #! server-side-request-forgery
@mcp.tool()
def log(box: str, file: str) -> str:
    inn = docker.from_env().containers.get(box)
    inn.exec_run(["sh", "-c", f"tail {file}"])  #! command-injection
    return inn.exec_run(["tail", "--", "/log/" + file]).output  #= command-injection
@mcp.tool()
def tail(api: str, file: str) -> str:
    stream(print, "pod", command=["tail", "--", file])  #= command-injection
    return stream(print, "pod", command=["/bin/sh", "-c", f"tail {file}"])  #! command-injection
@mcp.tool()
def near(name: str) -> str:
    place = os.path.join("/srv/inn", name)
    if os.path.commonpath(["/srv/inn", place]) != "/srv/inn":
        raise ValueError(name)
    return open(place).read()  #! path-traversal
@mcp.tool()
def inside(name: str) -> str:
    place = os.path.realpath(os.path.join("/srv/inn", name))
    if os.path.commonpath(["/srv/inn", place]) != "/srv/inn":
        raise ValueError(name)
    return open(place).read()  #= path-traversal
`,
  `
import ipaddress, socket
import httpx
from urllib.parse import urlparse
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
def outward_host(address):
    for entry in socket.getaddrinfo(urlparse(address).hostname, None):
        place = ipaddress.ip_address(entry[4][0])
        if place.is_private or place.is_loopback:
            raise ValueError(address)
def public_host(address):
    for entry in socket.getaddrinfo(urlparse(address).hostname, None):
        place = ipaddress.ip_address(entry[4][0])
        if place.is_private or place.is_loopback:
            raise ValueError(address)
def is_public(address):
    place = ipaddress.ip_address(address)
    if place.is_private or place.is_loopback:
        return False
    return True
@mcp.tool()
def visit(address: str) -> str:
    public_host(address)
    return httpx.get(address).text  #= server-side-request-forgery
@mcp.tool()
def look(address: str) -> str:
    is_public(address)
    return httpx.get("http://" + address).text  #! server-side-request-forgery
`,
  `
import httpx
from elasticsearch import Elasticsearch
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
search = Elasticsearch("http://search.example")
@mcp.tool()
def guest(name: str) -> str:
    query = 'query { guest(name: "%s") { id } }' % name
    return httpx.post("https://inn.example/graphql", json={"query": query}).text  #! nosql-injection
@mcp.tool()
def known(name: str) -> str:
    query = "query($name: String!) { guest(name: $name) { id } }"
    return httpx.post("https://inn.example/graphql", json={"query": query, "variables": {"name": name}}).text  #= nosql-injection
@mcp.tool()
def words(text: str) -> str:
    return httpx.post("https://inn.example/words", json={"query": f"guests like {text}"}).text  #= nosql-injection
@mcp.tool()
def change(code: str) -> str:
    return str(search.update(index="stays", id="1", body={"script": {"source": code}}))  #! nosql-injection
`,
);

servers(
  'what one tool keeps and another one without parameters reads',
  `
import os
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("inn")
class Wing:
    folder = "/srv/east"
    other = "/srv/west"
wing = Wing()
@mcp.tool()
def go(folder: str) -> str:
    wing.folder = folder
    return "ok"
@mcp.tool()
def rooms() -> str:
    return str(os.listdir(wing.folder))  #! path-traversal
@mcp.tool()
def west() -> str:
    return str(os.listdir(wing.other))  #= path-traversal
`,
);
