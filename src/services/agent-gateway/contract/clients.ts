/** Configuration of AI clients for a gateway; used by the command line and the dashboard. */

/** One way of connecting a client. */
export interface ClientSetup {
  /** Name of the client on the command line. */
  readonly id: string;
  readonly name: string;
  /** The configuration file, or where to run the command. */
  readonly place: string;
  readonly format: 'json' | 'toml' | 'shell' | 'code';
  readonly text: string;
  /** The key, or a line for a shell that sets the variable from which the client reads it; only where it is given. */
  readonly before?: string | undefined;
  /** Additional advice. */
  readonly note?: string | undefined;
}

/** How a client authenticates: by an API key in its configuration, or by OAuth with its user's sign-in in a browser. */
export const signIns = ['key', 'user'] as const;
export type SignIn = (typeof signIns)[number];

export interface Endpoint {
  /** Name of the gateway. */
  readonly name: string;
  readonly mcpUrl: string;
  /** Default: `key`. */
  readonly signIn?: SignIn;
  /** An API key to put where it belongs; without it, a placeholder or a variable stands there. */
  readonly key?: string;
}

/** The environment variable from which clients read the key, if they support it. */
const keyVariable = 'BULWARK_API_KEY';
const keyPlace = '<your API key>';

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** The server's name in the client; short, because many clients prefix tool names with it. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32) || 'bulwark';

const shellWord = (text: string) =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Headers of each request: the API key, unless the user signs in. */
const keyIn = (signIn: SignIn, value: string) =>
  signIn === 'key' ? { headers: { 'X-API-Key': value } } : {};

/** For clients that only support stdio servers. */
const bridge = ({ url, signIn }: Server) => ({
  command: 'npx',
  args: [
    '-y',
    'mcp-remote',
    url,
    // Some clients split arguments at spaces, so the header contains none; mcp-remote expands the variable.
    ...(signIn === 'key' ? ['--header', `X-API-Key:\${${keyVariable}}`] : []),
    ...(url.startsWith('http://') ? ['--allow-http'] : []),
  ],
  ...(signIn === 'key' && { env: { [keyVariable]: keyPlace } }),
});

interface Server {
  readonly slug: string;
  readonly url: string;
  readonly signIn: SignIn;
}

interface Maker {
  readonly name: string;
  readonly make: (server: Server) => Omit<ClientSetup, 'id' | 'name'>;
  /** For applications that implement sign-in themselves. */
  readonly keyOnly?: boolean;
}

const underServers = (slug: string, entry: object) => json({ mcpServers: { [slug]: entry } });

/** Selects the note for the authentication method. */
const noted = (signIn: SignIn, notes: Partial<Record<SignIn, string>>) => ({ note: notes[signIn] });
const fromVariable = `The key is taken from the environment variable ${keyVariable}.`;

const makers: Readonly<Record<string, Maker>> = {
  'claude-code': {
    name: 'Claude Code',
    make: ({ slug, url, signIn }) => ({
      place: 'a terminal, in the project',
      format: 'shell',
      // The single quotes keep the shell from writing the key itself into the file.
      text:
        `claude mcp add --transport http ${signIn === 'key' ? '--scope project ' : ''}${slug} ${shellWord(url)}` +
        (signIn === 'key' ? ` --header 'X-API-Key: \${${keyVariable}}'` : ''),
      ...noted(signIn, {
        key: `Writes .mcp.json, which the team of the project can share: it names the environment variable ${keyVariable}, and Claude Code takes the key from there when it starts.`,
        user: 'Then /mcp in Claude Code opens the sign-in.',
      }),
    }),
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    make: (server) => ({
      place: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
      format: 'json',
      text: underServers(server.slug, bridge(server)),
      note: 'Its file accepts only commands, so it connects through mcp-remote, which needs Node.js.',
    }),
  },
  cursor: {
    name: 'Cursor',
    make: ({ slug, url, signIn }) => ({
      place: '~/.cursor/mcp.json, or .cursor/mcp.json of a project',
      format: 'json',
      text: underServers(slug, { url, ...keyIn(signIn, `\${env:${keyVariable}}`) }),
      ...noted(signIn, { key: fromVariable }),
    }),
  },
  vscode: {
    name: 'VS Code',
    make: ({ slug, url, signIn }) => ({
      place: '.vscode/mcp.json, or the command “MCP: Open User Configuration”',
      format: 'json',
      text: json({
        ...(signIn === 'key' && {
          inputs: [
            { type: 'promptString', id: 'bulwark-key', description: 'Bulwark API key', password: true },
          ],
        }),
        servers: { [slug]: { type: 'http', url, ...keyIn(signIn, '${input:bulwark-key}') } },
      }),
      ...noted(signIn, { key: 'The key is asked for once and kept by the editor.' }),
    }),
  },
  windsurf: {
    name: 'Windsurf',
    make: ({ slug, url, signIn }) => ({
      place: '~/.codeium/windsurf/mcp_config.json',
      format: 'json',
      text: underServers(slug, { serverUrl: url, ...keyIn(signIn, `\${env:${keyVariable}}`) }),
      ...noted(signIn, { key: fromVariable }),
    }),
  },
  codex: {
    name: 'Codex',
    make: ({ slug, url, signIn }) => ({
      place: '~/.codex/config.toml',
      format: 'toml',
      text:
        `[mcp_servers.${slug}]\nurl = ${JSON.stringify(url)}` +
        (signIn === 'key' ? `\nenv_http_headers = { "X-API-Key" = "${keyVariable}" }` : ''),
      ...noted(signIn, { key: fromVariable, user: `Then: codex mcp login ${slug}` }),
    }),
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    make: ({ slug, url, signIn }) => ({
      place: '~/.gemini/settings.json, or .gemini/settings.json of a project',
      format: 'json',
      text: underServers(slug, { httpUrl: url, ...keyIn(signIn, `$${keyVariable}`) }),
      ...noted(signIn, { key: fromVariable, user: `Then: /mcp auth ${slug}` }),
    }),
  },
  zed: {
    name: 'Zed',
    make: ({ slug, url, signIn }) => ({
      place: 'settings.json (command “zed: open settings file”)',
      format: 'json',
      text: json({ context_servers: { [slug]: { url, ...keyIn(signIn, keyPlace) } } }),
      ...noted(signIn, {
        key: 'Zed reads no variables in headers, so the file holds the key: let users sign in instead where you can.',
        user: 'Zed opens the sign-in when it connects.',
      }),
    }),
  },
  http: {
    name: 'Any client that speaks HTTP',
    make: ({ slug, url, signIn }) => ({
      place: 'its list of MCP servers',
      format: 'json',
      text: underServers(slug, { type: 'http', url, ...keyIn(signIn, keyPlace) }),
    }),
  },
  stdio: {
    name: 'Any client that starts a command',
    make: (server) => ({
      place: 'its list of MCP servers',
      format: 'json',
      text: underServers(server.slug, bridge(server)),
      note: 'Connects through mcp-remote, which needs Node.js.',
    }),
  },
  'sdk-typescript': {
    name: 'MCP SDK for TypeScript',
    keyOnly: true,
    make: ({ slug, url }) => ({
      place: 'your own agent',
      format: 'code',
      text: [
        "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
        '',
        `const client = new Client({ name: '${slug}-agent', version: '1.0.0' });`,
        'await client.connect(',
        `  new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)}), {`,
        `    requestInit: { headers: { 'X-API-Key': process.env.${keyVariable} } },`,
        '  }),',
        ');',
      ].join('\n'),
    }),
  },
  'sdk-python': {
    name: 'MCP SDK for Python',
    keyOnly: true,
    make: ({ url }) => ({
      place: 'your own agent',
      format: 'code',
      text: [
        'import os',
        'import httpx',
        'from mcp import ClientSession',
        'from mcp.client.streamable_http import streamable_http_client',
        '',
        `headers = {"X-API-Key": os.environ["${keyVariable}"]}`,
        'async with httpx.AsyncClient(headers=headers) as http:',
        `    async with streamable_http_client(${JSON.stringify(url)}, http_client=http) as (read, write, *_):`,
        '        async with ClientSession(read, write) as session:',
        '            await session.initialize()',
      ].join('\n'),
    }),
  },
};

/** The configuration with the key in its place: in the text itself, or in the variable that the text names. */
function withKey(setup: ClientSetup, key: string): ClientSetup {
  if (setup.text.includes(keyPlace)) return { ...setup, text: setup.text.replaceAll(keyPlace, key) };
  // The client asks for it.
  if (!setup.text.includes(keyVariable)) return { ...setup, before: key };
  const before = `export ${keyVariable}=${key}`;
  return setup.format === 'shell' ? { ...setup, text: `${before}\n${setup.text}` } : { ...setup, before };
}

/** Supported clients, the most common first. */
export const clientIds: readonly string[] = Object.keys(makers);

/** Undefined if the client is unknown or does not support the authentication method. */
export function clientSetup(
  id: string,
  { name, mcpUrl, signIn = 'key', key }: Endpoint,
): ClientSetup | undefined {
  const maker = Object.hasOwn(makers, id) ? makers[id] : undefined;
  if (maker === undefined || (maker.keyOnly === true && signIn !== 'key')) return undefined;
  const setup = { id, name: maker.name, ...maker.make({ slug: slugOf(name), url: mcpUrl, signIn }) };
  return key === undefined || signIn !== 'key' ? setup : withKey(setup, key);
}

/** The configuration for each client. */
export const clientSetups = (endpoint: Endpoint): ClientSetup[] =>
  clientIds.flatMap((id) => clientSetup(id, endpoint) ?? []);
