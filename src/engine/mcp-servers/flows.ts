/** What tools can do together that none does alone: content of strangers steers an agent that holds private data. */
import type { Observation } from '#findings/finding.ts';
import { hintsAgainst, labelsOf, restsOnName, type Label } from './labels.ts';
import { asLatin } from '#engine/descriptions/look-alikes.ts';
import { argumentNames, type DescribedTool } from '#engine/descriptions/tool.ts';

export interface ServerTools {
  server: string;
  tools: readonly DescribedTool[];
}

export interface ToxicFlow {
  code: 'TF001' | 'TF002';
  /** The tools of each role, as `server.tool`. */
  parts: Record<string, string[]>;
  servers: string[];
  /** All tools that have a role in it, with how surely, from 0 to 1. */
  members: { server: string; tool: string; role: Label; score: number }[];
  /** A role is filled only by tools whose name alone speaks for it, or whose own hints credibly speak against it. */
  isFarFetched: boolean;
  /** Tools that say that they change nothing, against their name, arguments or first sentence. */
  contradicting: string[];
  /** What is destroyed is what SQL reaches. */
  isSql: boolean;
}

const from = 0.7;
const mostNamed = 5;

interface Labelled {
  server: string;
  tool: DescribedTool;
  labels: Record<Label, number>;
}

const nameOf = ({ server, tool }: Labelled) => `${server}.${tool.name}`;

const isWeak = ({ tool }: Labelled, label: Label) =>
  hintsAgainst(tool, label) === 'agree' || restsOnName(tool, label);

/** The tools with a label, those first of which it is least in doubt. */
const having = (all: readonly Labelled[], label: Label): Labelled[] =>
  all
    .filter(({ labels }) => labels[label] >= from)
    .toSorted(
      (a, b) => Number(isWeak(a, label)) - Number(isWeak(b, label)) || b.labels[label] - a.labels[label],
    );

/** A tool that runs statements of a database. */
const runsSql = ({ tool: { name, description, inputSchema } }: Labelled) =>
  /\b(?:sql|database query|postgres|mysql|sqlite)\b/i.test(
    `${name.replaceAll(/[_-]/g, ' ')} ${description.slice(0, 400)}`,
  ) && argumentNames(inputSchema).some((each) => /^(?:sql|query|statement)s?$/i.test(each));

/** Toxic flows of the tools that one agent has at the same time. */
export function toxicFlows(servers: readonly ServerTools[]): ToxicFlow[] {
  const all = servers.flatMap(({ server, tools }) =>
    tools.filter(({ kind }) => kind === 'tool').map((tool) => ({ server, tool, labels: labelsOf(tool) })),
  );
  const untrusted = having(all, 'untrusted_content');
  const flows: ToxicFlow[] = [];
  const add = (code: ToxicFlow['code'], roles: Partial<Record<Label, Labelled[]>>) => {
    const filled = Object.entries(roles) as [Label, Labelled[]][];
    if (filled.some(([, { length }]) => length === 0)) return;
    const named = roles.destructive?.slice(0, mostNamed) ?? [];
    const parts = filled.map(([role, tools]) => [role, tools.slice(0, mostNamed).map(nameOf)] as const);
    flows.push({
      code,
      parts: Object.fromEntries(parts),
      servers: [...new Set(filled.flatMap(([, tools]) => tools.map(({ server }) => server)))],
      members: filled.flatMap(([role, tools]) =>
        tools.map(({ server, tool, labels }) => ({ server, tool: tool.name, role, score: labels[role] })),
      ),
      isFarFetched: filled.some(([label, tools]) => tools.every((each) => isWeak(each, label))),
      contradicting: [
        ...new Set(
          filled.flatMap(([label, tools]) =>
            tools.slice(0, mostNamed).filter(({ tool }) => hintsAgainst(tool, label) === 'contradict'),
          ),
        ),
      ].map(nameOf),
      isSql: named.length > 0 && named.every(runsSql),
    });
  };
  add('TF001', {
    untrusted_content: untrusted,
    private_data: having(all, 'private_data'),
    public_sink: having(all, 'public_sink'),
  });
  add('TF002', { untrusted_content: untrusted, destructive: having(all, 'destructive') });
  return flows;
}

/** What a tool of a role does. */
export const roleWords: Readonly<Record<string, string>> = {
  untrusted_content: 'reads what strangers wrote',
  private_data: 'reads private data',
  public_sink: 'sends to where others read',
  destructive: 'changes or destroys',
};

/** What a toxic flow is called. */
export const flowTitles: Readonly<Record<ToxicFlow['code'], string>> = {
  TF001: 'Data Leak Toxic Flow',
  TF002: 'Destructive Toxic Flow',
};

/** A toxic flow as an observation. */
export function flowObservation({
  code,
  parts,
  servers,
  isFarFetched,
  contradicting,
  isSql,
}: ToxicFlow): Observation {
  const roles = Object.entries(parts).map(
    ([role, names]) => `${names.join(', ')} ${roleWords[role] ?? role}`,
  );
  return {
    rule: code,
    title: flowTitles[code],
    description:
      `Together these tools let a stranger's text ${code === 'TF001' ? 'carry private data out' : 'cause damage'}: ` +
      `${roles.join('; ')}.` +
      (isFarFetched ? ' What is said of one of them is known by its name alone, or speaks against it.' : '') +
      (contradicting.length > 0
        ? ` ${contradicting.join(', ')} ${contradicting.length === 1 ? 'says' : 'say'} in readOnlyHint or destructiveHint that nothing is changed or destroyed, against name, arguments or description.`
        : ''),
    severity: isFarFetched ? 'low' : 'medium',
    confidence: servers.length > 1 || isFarFetched ? 'low' : 'medium',
    subject: servers.join(', '),
    remedy: isSql
      ? 'Give the account of the database only the rights that the agent needs (to read, to single tables), or put an approval before statements that change something (the agent gateway can ask for one).'
      : 'Give these tools to different agents, or put an approval before the last step (the agent gateway can ask for one).',
    tags: ['toxic-flow'],
    frameworks: [
      { framework: 'owasp-mcp', id: 'MCP06:2025' },
      { framework: 'cwe', id: code === 'TF001' ? 'CWE-200' : 'CWE-1427' },
    ],
  };
}

/** A name as an agent that reads in haste takes it. */
const plain = (name: string) =>
  asLatin(name)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');

/** Tools of different servers whose names an agent can take for each other. */
export function lookAlikeNames(servers: readonly ServerTools[]): Observation[] {
  const byName = new Map<string, { server: string; name: string }[]>();
  for (const { server, tools } of servers)
    for (const { name, kind } of tools)
      if (kind === 'tool') byName.set(plain(name), [...(byName.get(plain(name)) ?? []), { server, name }]);
  return [...byName.values()]
    .filter((same) => new Set(same.map(({ server }) => server)).size > 1)
    .slice(0, 100)
    .map((same) => ({
      rule: 'E002',
      title: 'Tools of several servers have the same name',
      description: `${same.map(({ server, name }) => `${server}.${name}`).join(', ')} have names that an agent can take for each other; a server can take over another's calls so.`,
      severity: 'medium' as const,
      confidence: 'medium' as const,
      subject: same.map(({ server }) => server).join(', '),
      evidence: same.map(({ name }) => name).join(', '),
      remedy: 'Prefix the tools of each server (tool_prefix of the agent gateway), or leave one server out.',
      tags: ['shadowing'],
      frameworks: [{ framework: 'owasp-mcp', id: 'MCP03:2025' }],
    }));
}
