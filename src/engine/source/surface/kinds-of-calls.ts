import type { Expression } from '../form/form.ts';
import { type Given, pathOf } from '../taint/frame.ts';
import { javaTools } from './java.ts';
import type { EntranceKind, Offer } from './offer.ts';
import { requests } from './own-protocol.ts';
import { textAt } from './written.ts';

/** What a call registers, by the name of what is called. */
export const kindByMethod: readonly (readonly [RegExp, EntranceKind])[] = [
  [
    /\.(?:tool|[rR]egisterTool|register_tool|addTools?|AddTools?|add_tools?|SetTools|AddSessionTools?|from_function|registerAppTool|defineTool)$/,
    'tool',
  ],
  [/\.(?:resource|[rR]egisterResource|[aA]ddResource|[aA]ddResourceTemplate|add_resource)$/, 'resource'],
  [/\.(?:prompt|[rR]egisterPrompt|[aA]ddPrompt|add_prompt)$/, 'prompt'],
  [/\.setRequestHandler$/, 'tool'],
  [/\.(?:callHandler|toolCall|toolHandler)$|(?:Sync|Async)ToolSpecification$/, 'tool'],
  [/(?:Sync|Async)ResourceSpecification$/, 'resource'],
  [/(?:Sync|Async)PromptSpecification$/, 'prompt'],
  [/\.tool\(\)$/, 'tool'],
  // `tool().description('…').input(schema).handler(async ({ input }) => …)`
  [/(?:^|[.?])tool\(\)(?:\.\w+\(\))+\.(?:handler|handle|execute|action)$/, 'tool'],
  [javaTools, 'tool'],
];

/** Which requests a handler answers that a low-level server sets. */
export function requestOf(name: string, args: readonly Given[]): Pick<Offer, 'isForAll' | 'offers'> {
  if (!name.endsWith('.setRequestHandler')) return {};
  const [first] = args;
  const asked = textAt(first?.value) || (pathOf(first?.expression ?? nothing)?.at(-1) ?? '');
  return { isForAll: true, offers: requests.find(([pattern]) => pattern.test(asked))?.[1] };
}

const nothing: Expression = { is: 'literal', value: null, at: 0, end: 0 };
