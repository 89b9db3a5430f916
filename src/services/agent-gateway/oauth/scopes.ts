/** What a client can be allowed to do at a gateway: pure. */

export const scopes = ['mcp:tools', 'mcp:resources', 'mcp:prompts'] as const;
export type Scope = (typeof scopes)[number];

/** For the person who is asked. */
export const scopeWords: Readonly<Record<Scope, { title: string; detail: string }>> = {
  'mcp:tools': {
    title: 'Use tools',
    detail: 'See the tools that you may use through this gateway, and call them in your name.',
  },
  'mcp:resources': {
    title: 'Read resources',
    detail: 'See and read files, records and other contents that the servers behind this gateway offer you.',
  },
  'mcp:prompts': {
    title: 'Use prompts',
    detail: 'See the prepared prompts of the servers behind this gateway, and fetch them.',
  },
};

const isScope = (word: string): word is Scope => scopes.some((scope) => scope === word);

/** Those that we know of a list of words, each once. */
export const knownScopes = (words: string): Scope[] => [...new Set(words.split(' '))].filter(isScope);

const byFamily: ReadonlyMap<string, Scope> = new Map([
  ['tools', 'mcp:tools'],
  ['tasks', 'mcp:tools'],
  ['resources', 'mcp:resources'],
  ['prompts', 'mcp:prompts'],
]);

/** What a request of the protocol needs; undefined for those that any client may make, such as `initialize`. */
export function scopeFor(method: string, params: Readonly<Record<string, unknown>>): Scope | undefined {
  if (method === 'completion/complete') {
    const { ref } = params as { ref?: { type?: unknown } | null };
    // As it is answered: what is no prompt is looked for among resources.
    return ref?.type === 'ref/prompt' ? 'mcp:prompts' : 'mcp:resources';
  }
  if (method === 'subscriptions/listen') {
    const { notifications } = params as { notifications?: { resourceSubscriptions?: unknown } | null };
    return notifications?.resourceSubscriptions === undefined ? undefined : 'mcp:resources';
  }
  return byFamily.get(method.split('/', 1)[0] ?? '');
}
