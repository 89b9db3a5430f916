/** What happens on endpoints, and which detections it comes to; written from the contract, before the catalogue was looked at. */
import type { deviceRows, Proc } from '#services/shadow-ai/fixtures/rows.ts';

/** A rule's id with the counts of processes, connections and files, in order of the start. */
export type Expected = `${string} ${number}/${number}/${number}`;

export interface Story {
  readonly name: string;
  readonly os: 'Linux' | 'macOS' | 'Windows';
  readonly tell: (d: ReturnType<typeof deviceRows>) => object[];
  readonly expected: readonly Expected[];
}

const minutes = (count: number): number => count * 60;
const p = (uid: string, image: string, cmd: string, parent?: Proc): Proc => ({
  uid,
  image,
  cmd,
  user: 'mara',
  ...(parent && { parent }),
});

const zsh = p('1', '/bin/zsh', '-zsh');
const cmdExe = p('1', 'C:\\Windows\\System32\\cmd.exe', 'cmd.exe');
const nodeAgent = p(
  '10',
  '/opt/homebrew/bin/node',
  'node /opt/homebrew/lib/node_modules/@anthropic-ai/claude-code/cli.js --continue',
  zsh,
);
const bash = p('11', '/bin/bash', 'bash -c "npm run build"', nodeAgent);
const build = p('12', '/opt/homebrew/bin/npm', 'npm run build', bash);
const codex = p('20', '/usr/local/bin/codex', 'codex exec "write tests"', bash);
const cursor = p(
  '30',
  'C:\\Users\\m\\AppData\\Local\\Programs\\cursor\\Cursor.exe',
  '"C:\\Users\\m\\AppData\\Local\\Programs\\cursor\\Cursor.exe"',
  cmdExe,
);
const cursorWindow = p('31', cursor.image, `${cursor.cmd} --type=renderer`, cursor);
const script = p('40', '/usr/bin/python3', 'python3 nightly.py', zsh);
const chrome = p('50', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'Google Chrome');
const gooseUp = p('60', '/usr/local/bin/goose', 'goose -dir migrations up', zsh);
const goose = p('61', '/usr/local/bin/goose', 'goose', zsh);
const ollama = p('70', '/usr/local/bin/ollama', 'ollama serve');
const ollamaRun = p('71', '/usr/local/bin/ollama', 'ollama run llama3.2', zsh);
const mcpShell = p('80', '/bin/sh', 'sh -c "npx -y @modelcontextprotocol/server-filesystem /src"', nodeAgent);
const mcpNode = p(
  '81',
  '/usr/bin/node',
  'node /root/.npm/_npx/a/node_modules/.bin/mcp-server-filesystem /src',
  mcpShell,
);
const mcpByHand = p('82', '/usr/bin/npx', 'npx -y @modelcontextprotocol/server-filesystem /home/mara', zsh);
const npxCmd = p('90', 'C:\\Windows\\System32\\cmd.exe', 'cmd.exe /d /s /c npx @openai/codex', cmdExe);
const npxNode = p(
  '91',
  'C:\\Program Files\\nodejs\\node.exe',
  '"C:\\Program Files\\nodejs\\node.exe" "C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npx-cli.js" @openai/codex',
  npxCmd,
);
const npxCodex = p(
  '92',
  'C:\\Program Files\\nodejs\\node.exe',
  '"C:\\Program Files\\nodejs\\node.exe" C:\\Users\\m\\AppData\\Local\\npm-cache\\_npx\\b\\node_modules\\@openai\\codex\\bin\\codex.js',
  npxNode,
);
const install = p('100', '/usr/bin/npm', 'npm install -g @google/gemini-cli', zsh);
const code = p('110', 'C:\\Program Files\\Microsoft VS Code\\Code.exe', 'Code.exe C:\\src', cmdExe);
const docker = p(
  '120',
  '/usr/bin/docker',
  'docker run -d -p 3000:8080 ghcr.io/open-webui/open-webui:main',
  zsh,
);

const provider = 'api.anthropic.com';

export const stories: readonly Story[] = [
  {
    name: 'an agent with what it starts; the shell before it is not its own',
    os: 'macOS',
    tell: (d) => [
      d.start(0, zsh),
      d.start(1, nodeAgent),
      d.lookUp(2, nodeAgent, provider),
      d.connect(3, nodeAgent, provider),
      d.start(9, bash),
      d.start(10, build),
      d.connect(12, build, 'packages.example.com'),
      d.file(20, build, '/src/dist/index.js', 'Create'),
      d.connect(30, nodeAgent, provider),
      d.file(40, nodeAgent, '/src/index.ts'),
      d.file(45, zsh, '/Users/mara/.zsh_history'),
    ],
    expected: ['claude-code 3/3/2'],
  },
  {
    name: 'half an hour of silence ends a session',
    os: 'Windows',
    tell: (d) => [
      d.start(0, cursor),
      d.connect(minutes(5), cursor, 'api2.cursor.sh'),
      d.connect(minutes(36), cursor, 'api2.cursor.sh'),
      d.file(minutes(37), cursor, 'C:\\src\\app.ts'),
    ],
    expected: ['cursor 1/1/0', 'cursor 0/1/1'],
  },
  {
    name: 'a little less than half an hour does not',
    os: 'Windows',
    tell: (d) => [
      d.start(0, cursor),
      d.connect(minutes(29), cursor, 'api2.cursor.sh'),
      d.connect(minutes(58), cursor, 'api2.cursor.sh'),
    ],
    expected: ['cursor 1/2/0'],
  },
  {
    name: 'a tool that is started twice is two sessions',
    os: 'Linux',
    tell: (d) => [
      d.start(0, codex),
      d.connect(2, codex, 'api.openai.com'),
      d.start(5, { ...codex, uid: '21' }),
      d.connect(8, { ...codex, uid: '21' }, 'api.openai.com'),
      d.connect(9, { ...codex, uid: '21' }, 'api.openai.com'),
    ],
    expected: ['codex-cli 1/1/0', 'codex-cli 1/2/0'],
  },
  {
    name: 'an agent below another has a session of its own',
    os: 'macOS',
    tell: (d) => [
      d.start(0, nodeAgent),
      d.start(4, bash),
      d.start(5, codex),
      d.connect(6, codex, 'api.openai.com'),
      d.file(7, codex, '/src/a.test.ts'),
      d.connect(9, nodeAgent, provider),
    ],
    expected: ['claude-code 2/1/0', 'codex-cli 1/1/1'],
  },
  {
    name: 'the helpers of a desktop application are one session with it',
    os: 'Windows',
    tell: (d) => [
      d.start(0, cursor),
      d.start(1, cursorWindow),
      d.start(1, { ...cursorWindow, uid: '32', cmd: `${cursor.cmd} --type=gpu-process` }),
      d.connect(3, cursorWindow, 'api2.cursor.sh'),
    ],
    expected: ['cursor 3/1/0'],
  },
  {
    name: 'an MCP server that an agent starts belongs to the agent',
    os: 'Linux',
    tell: (d) => [
      d.start(0, nodeAgent),
      d.start(2, mcpShell),
      d.start(3, mcpNode),
      d.file(5, mcpNode, '/src/a'),
    ],
    expected: ['claude-code 3/0/1'],
  },
  {
    name: 'an MCP server that a person starts is a detection',
    os: 'Linux',
    tell: (d) => [d.start(0, zsh), d.start(2, mcpByHand)],
    expected: ['mcp-server-filesystem 1/0/0'],
  },
  {
    name: 'a name that others have too is nothing without a second signal',
    os: 'Linux',
    tell: (d) => [d.start(0, gooseUp), d.connect(1, gooseUp, 'db.example.com', 5432)],
    expected: [],
  },
  {
    name: 'and a detection with one',
    os: 'Linux',
    tell: (d) => [d.start(0, goose), d.lookUp(4, goose, provider), d.connect(5, goose, provider)],
    expected: ['goose 1/1/0'],
  },
  {
    name: 'a program of one’s own that calls a provider',
    os: 'Linux',
    tell: (d) => [
      d.start(0, script),
      d.connect(5, script, 'api.openai.com'),
      d.connect(6, script, 'example.org'),
    ],
    // A detection of a provider counts the connections to that provider alone.
    expected: ['ai-connect-openai 1/1/0'],
  },
  {
    name: 'a browser is none',
    os: 'macOS',
    tell: (d) => [d.start(0, chrome), d.connect(3, chrome, 'chatgpt.com'), d.connect(4, chrome, 'claude.ai')],
    expected: [],
  },
  {
    name: 'a source that reports connections alone',
    os: 'Windows',
    tell: (d) => [d.connect(0, cursor, 'api2.cursor.sh'), d.connect(4, cursor, 'example.net')],
    expected: ['cursor 0/2/0'],
  },
  {
    name: 'an agent’s child that goes on after a long silence belongs to the agent still',
    os: 'macOS',
    tell: (d) => [
      d.start(0, nodeAgent),
      d.start(1, bash),
      d.start(2, build),
      d.connect(minutes(50), build, 'a.example.com'),
    ],
    expected: ['claude-code 3/0/0', 'claude-code 0/1/0'],
  },
  {
    name: 'a model server and who asks it are two sessions',
    os: 'Linux',
    tell: (d) => [d.start(0, ollama), d.start(60, ollamaRun), d.connect(61, ollamaRun, '127.0.0.1', 11_434)],
    expected: ['ollama 1/0/0', 'ollama 1/1/0'],
  },
  {
    name: 'a chain of launchers is one session',
    os: 'Windows',
    tell: (d) => [
      d.start(0, cmdExe),
      d.start(1, npxCmd),
      d.start(2, npxNode),
      d.start(6, npxCodex),
      d.connect(8, npxCodex, 'api.openai.com'),
    ],
    expected: ['codex-cli 3/1/0'],
  },
  {
    name: 'an installation',
    os: 'Linux',
    tell: (d) => [d.start(0, install), d.connect(2, install, 'registry.example.com')],
    expected: ['gemini-cli 1/1/0'],
  },
  {
    name: 'an editor that asks the provider of its extension',
    os: 'Windows',
    tell: (d) => [d.start(0, code), d.connect(9, code, 'api.githubcopilot.com')],
    expected: ['ai-connect-github-copilot 1/1/0'],
  },
  {
    name: 'a container of an image that is known',
    os: 'Linux',
    tell: (d) => [d.start(0, docker), d.connect(1, docker, 'ghcr.io')],
    expected: ['open-webui 1/1/0'],
  },
  {
    name: 'words about AI in what people edit and search',
    os: 'macOS',
    tell: (d) => [
      d.start(0, p('200', '/usr/bin/vim', 'vim claude.md', zsh)),
      d.start(1, p('201', '/usr/bin/grep', 'grep -rn openai src', zsh)),
      d.start(2, p('202', '/usr/bin/git', 'git clone https://github.com/openai/codex', zsh)),
      d.connect(3, p('202', '/usr/bin/git', 'git clone https://github.com/openai/codex', zsh), 'github.com'),
      d.lookUp(4, chrome, 'chatgpt.com'),
    ],
    expected: [],
  },
];
