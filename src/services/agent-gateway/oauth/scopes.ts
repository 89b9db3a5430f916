/** Scopes that a client can have at a gateway. Pure. */

export const scopes = ['mcp:tools', 'mcp:resources', 'mcp:prompts'] as const;
export type Scope = (typeof scopes)[number];

/** Texts of the consent page. */
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

/** The known scopes in a space-separated list, without duplicates. */
export const knownScopes = (words: string): Scope[] => [...new Set(words.split(' '))].filter(isScope);

const byFamily: ReadonlyMap<string, Scope> = new Map([
  ['tools', 'mcp:tools'],
  ['tasks', 'mcp:tools'],
  ['resources', 'mcp:resources'],
  ['prompts', 'mcp:prompts'],
]);

/** The scope that a method requires; undefined for methods open to all clients, such as `initialize`. */
export function scopeFor(method: string, params: Readonly<Record<string, unknown>>): Scope | undefined {
  if (method === 'completion/complete') {
    const { ref } = params as { ref?: { type?: unknown } | null };
    // Same fallback as when the request is answered: references that are not prompts are resources.
    return ref?.type === 'ref/prompt' ? 'mcp:prompts' : 'mcp:resources';
  }
  if (method === 'subscriptions/listen') {
    const { notifications } = params as { notifications?: { resourceSubscriptions?: unknown } | null };
    return notifications?.resourceSubscriptions === undefined ? undefined : 'mcp:resources';
  }
  return byFamily.get(method.split('/', 1)[0] ?? '');
}
