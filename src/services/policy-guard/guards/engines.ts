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

/** What decided a policy; `none`: nothing could, and the guard fails closed or open. */
export type Engine = Exclude<EngineChoice, 'cascade'> | 'none';

/** The result of a policy whose judge failed: violated, not violated, or as the embedded engine decides. */
export const failModes = ['degrade', 'closed', 'open'] as const;
export type FailMode = (typeof failModes)[number];
