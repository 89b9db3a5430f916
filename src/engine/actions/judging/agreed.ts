import type { TraceStep } from '../types.ts';
import { textWords } from '../words.ts';

/** A user who agrees asks for what the agent has proposed. */
const yes =
  /^\W*(?:yes|yep|yeah|yup|sure|ok|okay|confirmed?|go ahead|go for it|proceed|please do|do (?:it|that|both|so)|approved?|i agree|agreed|correct|that works|sounds good|perfect|great|absolutely|fine|please|ja|jo|gerne|oui|d'accord|sí|si|vale|sim|pode|tak|da|да|evet|tamam|はい|お願い|ええ|네|응|好|是|可以)(?![\p{L}])/iu;
const no = /\b(?:no|not|don't|dont|never|nope|nein|non|nie|нет)\b/i;

const mostChosen = 5;

/** "Stadthof", "the later one": all of its words stand in what was offered, or are no names. */
function isChosen(turn: string, proposal: string): boolean {
  const words = textWords(turn).filter((word) => word.length > 2 && !/^(?:the|one|please)$/.test(word));
  const offered = new Set(textWords(proposal));
  return words.length > 0 && words.length <= mostChosen && words.every((word) => offered.has(word));
}

/** Between what the agent proposed and what the user said to it. */
export const agreedTo = '\n\u0002';

/** Answers are short: what says more speaks for itself. */
const longestAnswer = 60;
const longestProposal = 2000;

/** What a turn of the user asks for, with what the agent had proposed right before where they agree to it or choose from it. */
export function withProposal(turn: string, before: TraceStep | undefined): string {
  if (before?.role !== 'agent' || (before.toolName ?? '') !== '' || turn.length > longestAnswer) return turn;
  const proposal = before.content ?? before.action ?? '';
  const isAnswer = yes.test(turn) || proposal.trimEnd().endsWith('?') || isChosen(turn, proposal);
  return isAnswer && !no.test(turn) ? `${proposal.slice(-longestProposal)}${agreedTo}${turn}` : turn;
}
