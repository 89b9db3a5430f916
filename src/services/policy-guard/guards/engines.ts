/** Ways to come to a verdict, of which a guard has one. */
export const engineChoices = ['embedded', 'llm', 'cascade', 'moderation', 'onnx'] as const;
export type EngineChoice = (typeof engineChoices)[number];

/** What a deployment configures to have an engine. */
export const needs: Readonly<Record<EngineChoice, string>> = {
  embedded: 'nothing',
  llm: 'BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL',
  cascade: 'BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL',
  moderation: 'BULWARK_POLICY_GUARD_JUDGE_MODERATION_URL',
  onnx: 'BULWARK_POLICY_GUARD_JUDGE_ONNX_FOLDER',
};

/** Who decided a policy; `none`: nobody could, and the guard fails closed or open. */
export type Engine = Exclude<EngineChoice, 'cascade'> | 'none';

/** What a policy becomes whose judge failed: violated, not violated, or what the embedded engine says. */
export const failModes = ['degrade', 'closed', 'open'] as const;
export type FailMode = (typeof failModes)[number];
