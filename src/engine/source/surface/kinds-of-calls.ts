import { javaTools } from './java.ts';
import type { EntranceKind } from './offer.ts';

/** What a call registers, by the name of what is called. */
export const kindByMethod: readonly (readonly [RegExp, EntranceKind])[] = [
  [
    /\.(?:tool|[rR]egisterTool|addTools?|AddTools?|add_tools?|SetTools|AddSessionTools?|from_function|registerAppTool|defineTool)$/,
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
