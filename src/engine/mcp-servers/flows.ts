/** What tools can do together that none does alone: content of strangers steers an agent that holds private data. */
import type { Observation } from '#findings/finding.ts';
import { labelsOf, type Label } from './labels.ts';
import { asLatin } from '#engine/descriptions/look-alikes.ts';
import type { DescribedTool } from '#engine/descriptions/tool.ts';

export interface ServerTools {
  server: string;
  tools: readonly DescribedTool[];
}

export interface ToxicFlow {
  code: 'TF001' | 'TF002';
  /** The tools of each role, as `server.tool`. */
  parts: Record<string, string[]>;
  servers: string[];
}

const from = 0.7;
const mostNamed = 5;

interface Labelled {
  server: string;
  tool: DescribedTool;
  labels: Record<Label, number>;
}

const nameOf = ({ server, tool }: Labelled) => `${server}.${tool.name}`;

const having = (all: readonly Labelled[], label: Label): Labelled[] =>
  all.filter(({ labels }) => labels[label] >= from).toSorted((a, b) => b.labels[label] - a.labels[label]);

/** Toxic flows of the tools that one agent has at the same time. */
export function toxicFlows(servers: readonly ServerTools[]): ToxicFlow[] {
  const all = servers.flatMap(({ server, tools }) =>
    tools.filter(({ kind }) => kind === 'tool').map((tool) => ({ server, tool, labels: labelsOf(tool) })),
  );
  const untrusted = having(all, 'untrusted_content');
  const flows: ToxicFlow[] = [];
  const add = (code: ToxicFlow['code'], roles: Record<string, Labelled[]>) => {
    if (Object.values(roles).some(({ length }) => length === 0)) return;
    const parts = Object.entries(roles).map(
      ([role, tools]) => [role, tools.slice(0, mostNamed).map(nameOf)] as const,
    );
    flows.push({
      code,
      parts: Object.fromEntries(parts),
      servers: [...new Set(Object.values(roles).flatMap((tools) => tools.map(({ server }) => server)))],
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

const words: Record<string, string> = {
  untrusted_content: 'reads what strangers wrote',
  private_data: 'reads private data',
  public_sink: 'sends to where others read',
  destructive: 'changes or destroys',
};

/** A toxic flow as an observation. */
export function flowObservation({ code, parts, servers }: ToxicFlow): Observation {
  const roles = Object.entries(parts).map(([role, names]) => `${names.join(', ')} ${words[role] ?? role}`);
  return {
    rule: code,
    title: code === 'TF001' ? 'Data Leak Toxic Flow' : 'Destructive Toxic Flow',
    description:
      `Together these tools let a stranger's text ${code === 'TF001' ? 'carry private data out' : 'cause damage'}: ` +
      `${roles.join('; ')}.`,
    severity: 'medium',
    confidence: servers.length > 1 ? 'low' : 'medium',
    subject: servers.join(', '),
    remedy:
      'Give these tools to different agents, or put an approval before the last step (the agent gateway can ask for one).',
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
