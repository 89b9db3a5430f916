import { z } from 'zod';
import {
  defineTool,
  type Environment,
  type EnvironmentTool,
  ToolError,
} from '#environments/kit/environment.ts';
import type { Row } from '#environments/kit/row.ts';
import { insertAll } from '#environments/kit/seeding.ts';
import type { EnvironmentState } from '#environments/kit/state.ts';
import { type Message, slackState } from './slack-state.ts';
import { slackTasks } from './slack-tasks.ts';
import type { Suite } from './suite.ts';

/** AgentDojo's slack suite: a team's channels and inboxes, and a small web. */

/** Ids are numbers in the order of the state, so that the same row has the same id whatever the vectors hold. */
const numbered = (rows: Row[]): Row[] => rows.map((cells, index) => ({ id: index + 1, ...cells }));

function tables(startState: unknown): Record<string, Row[]> {
  const { slack, web } = slackState.parse(startState);
  const messages = (place: string, inboxes: Record<string, Message[]>): Row[] =>
    Object.values(inboxes).flatMap((inbox) => inbox.map((each) => ({ place, ...each })));
  return {
    users: numbered(slack.users.map((name) => ({ name }))),
    channels: numbered(slack.channels.map((name) => ({ name }))),
    members: numbered(
      Object.entries(slack.user_channels).flatMap(([user, channels]) =>
        channels.map((channel) => ({ user, channel })),
      ),
    ),
    messages: numbered([...messages('inbox', slack.user_inbox), ...messages('channel', slack.channel_inbox)]),
    pages: Object.entries(web.web_content).map(([url, content]) => ({ url, content })),
    requests: numbered(web.web_requests.map((url) => ({ url }))),
  };
}

function userNamed(state: EnvironmentState, name: string): void {
  if (!state.get('SELECT 1 AS found FROM users WHERE name = ?', name))
    throw new ToolError(`User ${name} not found in the users list`);
}

function channelNamed(state: EnvironmentState, name: string): void {
  if (!state.get('SELECT 1 AS found FROM channels WHERE name = ?', name))
    throw new ToolError(`Channel ${name} not found in the channels list`);
}

function add(state: EnvironmentState, table: string, cells: Row): void {
  const highest = state.get(`SELECT max(id) AS id FROM "${table}"`);
  state.insert(table, { id: Number(highest?.id ?? 0) + 1, ...cells });
}

function messagesTo(state: EnvironmentState, place: string, recipient: string): Row[] {
  return state.all(
    'SELECT sender, recipient, body FROM messages WHERE place = ? AND recipient = ? ORDER BY id',
    place,
    recipient,
  );
}

const withoutScheme = (url: string) => url.replace(/^https:\/\//, '').replace(/^http:\/\//, '');

function visit(state: EnvironmentState, given: string): string {
  const url = withoutScheme(given);
  add(state, 'requests', { url });
  return url;
}

const user = z.string();
const channel = z.string();

const tools: EnvironmentTool[] = [
  defineTool({
    name: 'get_channels',
    description: 'Lists the channels.',
    readOnly: true,
    input: z.strictObject({}),
    run: (_, state) => state.all('SELECT name FROM channels ORDER BY id').map(({ name }) => String(name)),
  }),
  defineTool({
    name: 'add_user_to_channel',
    description: 'Adds a user to a channel.',
    input: z.strictObject({ user, channel }),
    run: (input, state) => {
      userNamed(state, input.user);
      channelNamed(state, input.channel);
      add(state, 'members', input);
      return null;
    },
  }),
  defineTool({
    name: 'read_channel_messages',
    description: 'Returns the messages of a channel.',
    readOnly: true,
    input: z.strictObject({ channel }),
    run: (input, state) => {
      channelNamed(state, input.channel);
      return messagesTo(state, 'channel', input.channel);
    },
  }),
  defineTool({
    name: 'read_inbox',
    description: 'Returns the direct messages to a user.',
    readOnly: true,
    input: z.strictObject({ user }),
    run: (input, state) => {
      userNamed(state, input.user);
      return messagesTo(state, 'inbox', input.user);
    },
  }),
  defineTool({
    name: 'send_direct_message',
    description: 'Sends a direct message to a user.',
    input: z.strictObject({ recipient: user, body: z.string() }),
    run: (input, state) => {
      userNamed(state, input.recipient);
      add(state, 'messages', { place: 'inbox', sender: 'bot', ...input });
      return null;
    },
  }),
  defineTool({
    name: 'send_channel_message',
    description: 'Sends a message to a channel.',
    input: z.strictObject({ channel, body: z.string() }),
    run: (input, state) => {
      channelNamed(state, input.channel);
      add(state, 'messages', { place: 'channel', sender: 'bot', recipient: input.channel, body: input.body });
      return null;
    },
  }),
  defineTool({
    name: 'get_users_in_channel',
    description: 'Lists the members of a channel.',
    readOnly: true,
    input: z.strictObject({ channel }),
    run: (input, state) => {
      channelNamed(state, input.channel);
      return state
        .all('SELECT user FROM members WHERE channel = ? GROUP BY user ORDER BY min(id)', input.channel)
        .map((member) => String(member.user));
    },
  }),
  defineTool({
    name: 'invite_user_to_slack',
    description: 'Invites a user to the team.',
    input: z.strictObject({ user, user_email: z.string() }),
    run: (input, state) => {
      if (state.get('SELECT 1 AS found FROM users WHERE name = ?', input.user))
        throw new ToolError(`User ${input.user} already in the users list`);
      add(state, 'users', { name: input.user });
      return null;
    },
  }),
  defineTool({
    name: 'remove_user_from_slack',
    description: 'Removes a user from the team, with the inbox.',
    input: z.strictObject({ user }),
    run: (input, state) => {
      userNamed(state, input.user);
      state.run('DELETE FROM users WHERE name = ?', input.user);
      state.run('DELETE FROM members WHERE user = ?', input.user);
      state.run(`DELETE FROM messages WHERE place = 'inbox' AND recipient = ?`, input.user);
      return null;
    },
  }),
  defineTool({
    name: 'get_webpage',
    description: 'Returns the content of a page.',
    input: z.strictObject({ url: z.string() }),
    run: (input, state) => {
      const url = visit(state, input.url);
      return String(state.get('SELECT content FROM pages WHERE url = ?', url)?.content ?? '404 Not Found');
    },
  }),
  defineTool({
    name: 'post_webpage',
    description: 'Publishes a page.',
    input: z.strictObject({ url: z.string(), content: z.string() }),
    run: (input, state) => {
      const url = visit(state, input.url);
      state.run('DELETE FROM pages WHERE url = ?', url);
      state.insert('pages', { url, content: input.content });
      return null;
    },
  }),
];

function environment(startState: unknown): Environment {
  return {
    id: 'slack',
    domain: 'communication',
    title: 'Slack',
    description: 'The slack suite of AgentDojo.',
    startsAt: '2024-05-15T08:00:00Z',
    schema: `
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
      CREATE TABLE channels (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
      CREATE TABLE members (id INTEGER PRIMARY KEY, user TEXT NOT NULL, channel TEXT NOT NULL) STRICT;
      CREATE TABLE messages (id INTEGER PRIMARY KEY, place TEXT NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL, body TEXT NOT NULL) STRICT;
      CREATE TABLE pages (url TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
      CREATE TABLE requests (id INTEGER PRIMARY KEY, url TEXT NOT NULL) STRICT;
    `,
    seed: (state) => {
      for (const [table, rows] of Object.entries(tables(startState))) insertAll(state, table, rows);
    },
    tools,
    sinks: [
      { table: 'messages', recipients: ['recipient'], content: ['body'] },
      { table: 'pages', recipients: ['url'], content: ['content'] },
    ],
    strangersTexts: [{ table: 'pages', column: 'content', how: 'anyone can publish a page' }],
  };
}

/** The suite; its environment starts from the published state with the vectors' default texts. */
export function slackSuite(startState: unknown): Suite {
  return {
    environment: environment(startState),
    startingFrom: (changed, version) => ({
      seed: { slack: tables(changed) },
      ...slackTasks(changed, version),
    }),
  };
}
