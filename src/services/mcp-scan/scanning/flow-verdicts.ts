/** Toxic flows in the verdicts on the tools that form them. */
import { flowObservation, flowTitles, roleWords, type ToxicFlow } from '#engine/mcp-servers/flows.ts';
import type { TextGuardItem } from './result.ts';

/** The category of a flow is that of no text: whether an item is flagged stays what its own text says. */
function withFlow(item: TextGuardItem, flow: ToxicFlow): TextGuardItem {
  const roles = flow.members.filter(({ tool }) => tool === item.toolName);
  if (roles.length === 0) return item;
  const category = flowTitles[flow.code];
  const does = roles.map(({ role }) => roleWords[role] ?? role).join(' and ');
  const score = Math.max(...roles.map((each) => each.score));
  return {
    ...item,
    categories: [...item.categories, category],
    categoryScores: { ...item.categoryScores, [category]: Math.round(score * 1000) / 1000 },
    explanation: {
      ...item.explanation,
      [category]: `This tool ${does}. ${flowObservation(flow).description}`,
    },
  };
}

/** @param flows of the server that the items are about */
export const withFlows = (
  textguard: readonly TextGuardItem[],
  flows: readonly ToxicFlow[],
  kindAt: (at: number) => TextGuardItem['kind'],
): TextGuardItem[] =>
  textguard.map((item, at) => ((item.kind ?? kindAt(at)) === 'tool' ? flows.reduce(withFlow, item) : item));
