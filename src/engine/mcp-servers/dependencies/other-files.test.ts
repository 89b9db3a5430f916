import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packageLines, readLines } from './fixtures/package-lines.ts';
import { readPackages } from './read-packages.ts';

describe('lock files of Python', () => {
  it('requirements: hashes, extras, markers, addresses, lines that go on', () => {
    const { packages } = readPackages([
      {
        path: 'requirements.txt',
        text: `--index-url https://packages.example.com/simple
httpx[http2]==0.27.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
Flask_Login>=0.6,<0.7 ; python_version < "3.12"  # a note
-e git+https://github.com/someone/tool.git@main#egg=tool
local @ file:///srv/local.whl
./plugins/own
`,
      },
    ]);
    assert.deepEqual(packageLines(packages), [
      'httpx@0.27.0 direct',
      'flask-login@(>=0.6,<0.7) direct',
      'tool@? git:git+https://github.com/someone/tool.git@main#egg=tool direct',
      'local@? file:file:///srv/local.whl direct',
    ]);
    assert.deepEqual(
      packages.map((each) => each.line),
      [2, 5, 6, 7],
    );
  });

  it('requirements that name others, in a ring too; what is missing is said', () => {
    const { packages, unread } = readPackages([
      { path: 'app/dev-requirements.txt', text: '-r ../base.txt\n--constraint=missing.txt\npytest==8.0.0' },
      { path: 'base.txt', text: '-r app/dev-requirements.txt\nmcp==1.2.0' },
      { path: 'notes.txt', text: 'other==1.0' },
    ]);
    assert.deepEqual(packageLines(packages), ['pytest@8.0.0 direct', 'mcp@1.2.0 direct']);
    assert.deepEqual(
      unread.map(({ path }) => path),
      ['app/missing.txt'],
    );
  });

  it("poetry: groups, an index of one's own, git", () => {
    const lock = `[[package]]
name = "Mcp"
version = "1.2.0"
optional = false
groups = ["main", "dev"]

[[package]]
name = "pytest"
version = "8.0.0"
groups = ["dev"]

[[package]]
name = "inner"
version = "2.0"
[package.source]
type = "legacy"
url = "https://packages.example.com/simple"
reference = "own"

[[package]]
name = "tool"
version = "0.1"
[package.source]
type = "git"
url = "https://github.com/someone/tool.git"
reference = "main"
resolved_reference = "4f2a"

[metadata]
lock-version = "2.1"
`;
    assert.deepEqual(readLines('poetry.lock', lock), [
      'mcp@1.2.0',
      'pytest@8.0.0 dev',
      'inner@2.0',
      'tool@0.1 git:https://github.com/someone/tool.git',
    ]);
  });

  it('uv, pylock and Pipfile', () => {
    const uv = `version = 1
requires-python = ">=3.11"

[[package]]
name = "server"
version = "0.1.0"
source = { virtual = "." }

[[package]]
name = "httpx"
version = "0.27.0"
source = { registry = "https://packages.example.com/simple" }

[[package]]
name = "tool"
version = "0.1"
source = { git = "https://github.com/someone/tool?rev=main#4f2a" }

[[package]]
name = "wheel-here"
version = "1.0"
source = { path = "wheels/wheel_here-1.0-py3-none-any.whl" }
`;
    assert.deepEqual(readLines('uv.lock', uv), [
      'httpx@0.27.0',
      'tool@0.1 git:https://github.com/someone/tool?rev=main#4f2a',
      'wheel-here@1.0 file:wheels/wheel_here-1.0-py3-none-any.whl',
    ]);
    assert.deepEqual(
      readLines('pylock.toml', 'lock-version = "1.0"\n[[packages]]\nname = "attrs"\nversion = "25.1.0"\n'),
      ['attrs@25.1.0'],
    );
    assert.deepEqual(
      readLines(
        'Pipfile',
        '[packages]\nrequests = "*"\nmcp = "==1.2.0"\ntool = {git = "https://git.example.com/tool"}\n[dev-packages]\npytest = ">=8"\n',
      ),
      [
        'requests@(*) direct',
        'mcp@1.2.0 direct',
        'tool@? git:https://git.example.com/tool direct',
        'pytest@(>=8) direct dev',
      ],
    );
    assert.deepEqual(
      readLines(
        'Pipfile.lock',
        '{"default":{"mcp":{"version":"==1.2.0","hashes":[]},"tool":{"git":"https://git.example.com/tool","ref":"4f"}},"develop":{"pytest":{"version":"==8.0.0"}}}',
      ),
      ['mcp@1.2.0', 'tool@? git:https://git.example.com/tool', 'pytest@8.0.0 dev'],
    );
  });
});

describe('lock files of Go, Rust and Java', () => {
  it('go.mod: blocks, replacements, exclusions', () => {
    const mod = `module example.org/server

go 1.23

require github.com/mark3labs/mcp-go v0.32.0

require (
	github.com/gin-gonic/gin v1.9.1
	golang.org/x/net v0.10.0 // indirect
	example.org/own v0.0.0
)

exclude (
	golang.org/x/text v0.3.0
)

replace (
	github.com/gin-gonic/gin => github.com/someone/gin v1.9.2
	example.org/own => ../own
)

retract v0.9.0
`;
    assert.deepEqual(readLines('go.mod', mod), [
      'github.com/mark3labs/mcp-go@0.32.0 direct',
      'github.com/someone/gin@1.9.2 direct',
      'golang.org/x/net@0.10.0',
      'example.org/own@? file:../own direct',
    ]);
  });

  it('go.sum alone; beside go.mod it adds nothing', () => {
    const sum = `golang.org/x/net v0.10.0 h1:aa=
golang.org/x/net v0.10.0/go.mod h1:bb=
golang.org/x/net v0.9.0/go.mod h1:cc=
`;
    assert.deepEqual(readLines('go.sum', sum), ['golang.org/x/net@0.10.0']);
    const both = readPackages([
      { path: 'go.mod', text: 'module a\nrequire golang.org/x/net v0.10.0\n' },
      { path: 'go.sum', text: sum },
    ]);
    assert.equal(both.packages.length, 1);
  });

  it('Cargo.lock: the project itself is none, git is said', () => {
    const lock = `version = 4

[[package]]
name = "server"
version = "0.1.0"
dependencies = ["rmcp"]

[[package]]
name = "rmcp"
version = "0.3.0"
source = "sparse+https://index.example.com/"
checksum = "aa"

[[package]]
name = "tool"
version = "0.2.0"
source = "git+https://github.com/someone/tool?branch=main#4f2a"
`;
    assert.deepEqual(readLines('Cargo.lock', lock), [
      'rmcp@0.3.0',
      'tool@0.2.0 git:git+https://github.com/someone/tool?branch=main#4f2a',
    ]);
  });

  it('pom.xml: properties, exclusions, what is commented out', () => {
    const pom = `<project>
  <properties><jackson.version>2.17.0</jackson.version></properties>
  <dependencies>
    <!-- <dependency><groupId>old</groupId><artifactId>gone</artifactId><version>1</version></dependency> -->
    <dependency>
      <exclusions><exclusion><groupId>commons-logging</groupId><artifactId>commons-logging</artifactId></exclusion></exclusions>
      <groupId>com.fasterxml.jackson.core</groupId>
      <artifactId>jackson-databind</artifactId>
      <version>\${jackson.version}</version>
    </dependency>
    <dependency><groupId>org.junit</groupId><artifactId>junit</artifactId><version>5.10.0</version><scope>test</scope></dependency>
  </dependencies>
</project>`;
    const { packages } = readPackages([{ path: 'pom.xml', text: pom }]);
    assert.deepEqual(packageLines(packages), [
      'com.fasterxml.jackson.core:jackson-databind@2.17.0 direct',
      'org.junit:junit@5.10.0 direct dev',
    ]);
    assert.deepEqual(
      packages.map((each) => each.line),
      [5, 11],
    );
  });

  it('gradle: one file for all and one for each configuration', () => {
    const lock = `# This is a Gradle generated file for dependency locking.
com.google.guava:guava:33.0.0-jre=compileClasspath,runtimeClasspath
org.junit.jupiter:junit-jupiter:5.10.0=testCompileClasspath,testRuntimeClasspath
empty=annotationProcessor
`;
    assert.deepEqual(readLines('gradle.lockfile', lock), [
      'com.google.guava:guava@33.0.0-jre',
      'org.junit.jupiter:junit-jupiter@5.10.0 dev',
    ]);
    assert.deepEqual(readLines('buildscript-gradle.lockfile', lock).length, 2);
    assert.deepEqual(
      readLines('gradle/dependency-locks/compileClasspath.lockfile', 'com.google.guava:guava:33.0.0-jre\n'),
      ['com.google.guava:guava@33.0.0-jre'],
    );
  });

  it('long lines and blocks that never end take no longer than the file', () => {
    const started = process.cpuUsage();
    const hostile = [
      { path: 'go.mod', text: `require ${'a.'.repeat(500_000)}` },
      { path: 'pom.xml', text: '<exclusions>'.repeat(200_000) },
      { path: 'requirements.txt', text: '\n'.repeat(500_000) },
      { path: 'yarn.lock', text: `a@${': '.repeat(500_000)}x` },
    ];
    assert.deepEqual(readPackages(hostile).packages, []);
    assert.ok(process.cpuUsage(started).user < 5e6);
  });
});
