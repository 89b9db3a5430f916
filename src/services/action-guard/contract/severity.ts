import { z } from 'zod';

export const Severity = z.enum(['High', 'Medium', 'Low']);

export const ThreatCategory = z.enum([
  'none',
  'data_exfiltration',
  'credential_exposure',
  'destructive_action',
  'privilege_escalation',
  'prompt_injection',
  'unauthorized_transaction',
  'privacy_violation',
  'malicious_code',
  'off_task_action',
  'policy_violation',
]);
