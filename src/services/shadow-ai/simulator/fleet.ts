/** A company over a fortnight: who uses what, on working days, with much that is no AI. Made by numbers, no people. */
import { createTeller, type NeutralDevice, type NeutralEvent, type NeutralProcess } from './neutral.ts';

const dayMs = 86_400_000;
const days = 14;
const devices = 60;

type Teller = ReturnType<typeof createTeller>;

/** Numbers that look random, and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

interface Habit {
  readonly share: number;
  readonly tell: (t: Teller, at: number, below: (n: number) => number, home: Home) => void;
}

interface Home {
  readonly os: NeutralDevice['os'];
  readonly user: string;
}

const folder = ({ os, user }: Home) =>
  os === 'Windows' ? `C:\\Users\\${user}` : os === 'macOS' ? `/Users/${user}` : `/home/${user}`;
const join = (home: Home, ...parts: string[]) =>
  [folder(home), ...parts].join(home.os === 'Windows' ? '\\' : '/');
const program = ({ os }: Home, name: string) =>
  os === 'Windows' ? `C:\\Program Files\\${name}\\${name}.exe` : `/usr/local/bin/${name}`;

function shellOf(t: Teller, { os }: Home): NeutralProcess {
  return os === 'Windows'
    ? t.process('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'powershell.exe')
    : t.process('/bin/bash', 'bash');
}

/** An agent that works on code: it asks its provider, edits, runs tests. */
const codingAgent =
  (name: string, hosts: readonly string[], flags: readonly string[]): Habit['tell'] =>
  (t, at, below, home) => {
    t.at(at);
    const shell = shellOf(t, home);
    const flag = below(6) === 0 ? ` ${flags[below(flags.length)] ?? ''}` : '';
    const agent = t.process(program(home, name), `${name}${flag}`.trim(), {
      parent: shell,
      alerts: flag !== '',
    });
    const turns = 3 + below(12);
    for (let turn = 0; turn < turns; turn += 1) {
      const now = at + 10 + turn * (60 + below(200));
      t.connect(now, agent, hosts[below(hosts.length)] ?? '');
      t.file(now + 20, agent, join(home, 'work', `module-${below(40)}.ts`));
      if (below(3) > 0) continue;
      t.at(now + 30);
      const tool = t.process(program(home, 'node'), 'node --test', { parent: agent });
      if (below(8) === 0) t.connect(now + 35, tool, 'packages.example.com');
      if (below(25) === 0) t.file(now + 40, agent, join(home, '.aws', 'credentials'), 'Read');
    }
  };

function appImage({ os }: Home, name: string): string {
  if (os === 'Windows') return `C:\\Program Files\\${name}\\${name}.exe`;
  return os === 'macOS'
    ? `/Applications/${name}.app/Contents/MacOS/${name}`
    : `/opt/${name}/${name.toLowerCase()}`;
}

const desktopApp =
  (path: string, hosts: readonly string[]): Habit['tell'] =>
  (t, at, below, home) => {
    t.at(at);
    const image = appImage(home, path);
    const app = t.process(image, image, { listed: true });
    for (let i = 0; i < 4 + below(10); i += 1)
      t.connect(at + 5 + i * (100 + below(600)), app, hosts[below(hosts.length)] ?? '');
  };

const habits: Habit[] = [
  { share: 30, tell: codingAgent('claude', ['api.anthropic.com'], ['--dangerously-skip-permissions']) },
  { share: 14, tell: codingAgent('codex', ['api.openai.com', 'chatgpt.com'], ['--full-auto', '--yolo']) },
  { share: 8, tell: codingAgent('gemini', ['generativelanguage.googleapis.com'], ['--yolo']) },
  { share: 5, tell: codingAgent('aider', ['api.openai.com', 'api.deepseek.com'], ['--yes-always']) },
  { share: 4, tell: codingAgent('opencode', ['api.anthropic.com', 'openrouter.ai'], ['--print-logs']) },
  { share: 18, tell: desktopApp('Cursor', ['api2.cursor.sh', 'api3.cursor.sh']) },
  { share: 8, tell: desktopApp('Windsurf', ['server.codeium.com']) },
  { share: 10, tell: desktopApp('ChatGPT', ['chatgpt.com', 'api.openai.com']) },
  {
    share: 7,
    tell(t, at, below, home) {
      t.at(at);
      const server = t.process(program(home, 'ollama'), 'ollama serve', { listed: true });
      t.connect(at + 4, server, 'registry.ollama.ai');
      for (let i = 0; i < 2 + below(4); i += 1) t.accept(at + 60 * (i + 1), server, '127.0.0.1', 11_434);
      if (below(6) === 0) t.accept(at + 500, server, '198.18.4.4', 11_434);
    },
  },
  {
    share: 7,
    tell(t, at, below, home) {
      t.at(at);
      const script = t.process(program(home, 'python3'), `python3 report-${below(5)}.py`);
      for (let i = 0; i < 1 + below(30); i += 1)
        t.connect(
          at + 2 + i * 3,
          script,
          ['api.openai.com', 'api.mistral.ai', 'api.cohere.com'][below(3)] ?? '',
        );
    },
  },
  {
    share: 5,
    tell(t, at, _below, home) {
      t.at(at);
      const agent = t.process(program(home, 'claude'), 'claude');
      t.connect(at + 2, agent, 'api.anthropic.com');
      t.at(at + 5);
      const server = t.process(program(home, 'node'), 'node /usr/local/bin/npx -y @playwright/mcp@latest', {
        parent: agent,
      });
      t.connect(at + 9, server, 'intranet.example.com');
    },
  },
];

/** Work without AI, so that not everything is a finding. */
function ordinaryWork(t: Teller, at: number, below: (n: number) => number, home: Home): void {
  t.at(at);
  const shell = shellOf(t, home);
  const git = t.process(program(home, 'git'), 'git fetch', { parent: shell });
  t.connect(at + 3, git, 'github.com');
  const browser = t.process(program(home, 'firefox'), 'firefox');
  for (let i = 0; i < 3 + below(6); i += 1)
    t.connect(
      at + 30 + i * 90,
      browser,
      ['news.example.com', 'chatgpt.com', 'claude.ai', 'wiki.example.com'][below(4)] ?? '',
    );
  t.file(at + 400, shell, join(home, 'notes.md'));
}

/** @param endMs the fortnight ends then, in UTC */
export function fleet(endMs: number): NeutralEvent[] {
  const below = numbers(20_261_122);
  const total = habits.reduce((sum, { share }) => sum + share, 0);
  const pick = (): Habit[] => {
    let left = below(total);
    return habits.filter(({ share }) => {
      left -= share;
      return left < 0 && left + share >= 0;
    });
  };
  let id = 0;
  const events: NeutralEvent[] = [];
  for (let i = 0; i < devices; i += 1) {
    const os = (['macOS', 'Windows', 'Windows', 'Linux'] as const)[below(4)] ?? 'Linux';
    const home = { os, user: `user${String(i + 1).padStart(2, '0')}` };
    const device = {
      uid: `fleet-${i + 1}`,
      name: `${os === 'macOS' ? 'mac' : os === 'Windows' ? 'pc' : 'lx'}-${String(i + 1).padStart(3, '0')}`,
      os,
    };
    // What somebody uses stays much the same from day to day; not everybody uses anything.
    const own = below(4) === 0 ? [] : Array.from({ length: 1 + below(2) }, pick).flat();
    for (let day = 0; day < days; day += 1) {
      const startMs = Math.floor((endMs - (days - 1 - day) * dayMs) / dayMs) * dayMs;
      const weekday = new Date(startMs).getUTCDay();
      if ((weekday === 0 || weekday === 6) && below(5) > 0) continue;
      const teller = createTeller(device, home.user, startMs, () => (id += 1));
      const at = () => 8 * 3600 + below(9 * 3600);
      ordinaryWork(teller, at(), below, home);
      // Use grows over the fortnight.
      for (const habit of own) if (below(days * 2) < days + day) habit.tell(teller, at(), below, home);
      events.push(...teller.events);
    }
  }
  return events.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs || a.id - b.id);
}
