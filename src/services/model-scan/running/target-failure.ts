/** What went wrong with a model under test, in sentences that say what to do. */
import type { TargetError } from '#llm/target/failures.ts';

/** Stops a scan: it becomes `Failed`, and its message is shown to the user. */
export class ScanFailure extends Error {
  override readonly name = 'ScanFailure';
}

const advice: Partial<Record<TargetError['code'], string>> = {
  target_forbidden: "Change 'model.base_url', or have the operator allow the network.",
  target_unreachable: "Check 'model.base_url', and that the server is running and can be reached from here.",
  target_timeout:
    'Check that the server is not overloaded, or have the operator raise model_scan.request_timeout_seconds.',
  target_unauthorized: "Check 'model.api_key' and what it may do; POST /v1/scan/retry takes a new 'api_key'.",
  target_not_found: "Check 'model.base_url' (it usually ends in /v1) and 'model.model_name'.",
  target_rejected: "Check 'model.model_name', 'model.max_tokens' and 'model.temperature'.",
  target_overloaded: "Use a lower 'qpm' or 'concurrency', or retry later.",
  target_broken: 'Check the log of the server, and retry when it works.',
  target_unreadable:
    "Check 'model.base_url': it must be the base of chat completions, and usually ends in /v1.",
  target_budget_spent: 'POST /v1/scan/retry continues the scan with the same budget again.',
};

/** The sentence for a scan that cannot go on. */
export function failureSentence(error: TargetError): string {
  const said = error.said === undefined ? '' : ` It said: ${shortened(error.said)}`;
  return [`The model cannot be scanned. ${error.detail}`, advice[error.code], said.trim()]
    .filter(Boolean)
    .join(' ');
}

/** Whether every other request will fare the same. */
export const isFatal = (error: TargetError): boolean => error.isSetup || error.code === 'target_budget_spent';

/** Whether the target may be down, rather than this one request be wrong. */
export const mayBeOutage = ({ code }: TargetError): boolean => code !== 'target_rejected';

const saidChars = 300;

const shortened = (said: string): string => {
  const line = said.replaceAll(/\s+/gu, ' ').trim();
  return JSON.stringify(line.length > saidChars ? `${line.slice(0, saidChars)}…` : line);
};
