import type { Environment } from './kit/environment.ts';
import { brokerage } from './brokerage/brokerage.ts';
import { repoHost } from './repo-host/repo-host.ts';
import { supportDesk } from './support-desk/support-desk.ts';
import { workstation } from './workstation/workstation.ts';
import { crmSales } from './crm-sales/crm-sales.ts';
import { travel } from './travel/travel.ts';
import { warehouseSql } from './warehouse-sql/warehouse-sql.ts';
import { calendar } from './calendar/calendar.ts';
import { teamChat } from './team-chat/team-chat.ts';
import { issueTracker } from './issue-tracker/issue-tracker.ts';
import { meetings } from './meetings/meetings.ts';
import { messenger } from './messenger/messenger.ts';
import { crmMarketing } from './crm-marketing/crm-marketing.ts';
import { deployOps } from './deploy-ops/deploy-ops.ts';
import { documents } from './documents/documents.ts';
import { forms } from './forms/forms.ts';
import { lakehouse } from './lakehouse/lakehouse.ts';
import { mail } from './mail/mail.ts';
import { payments } from './payments/payments.ts';

/** All environments; a new one is added here. */
export const environments: readonly Environment[] = [
  mail,
  payments,
  brokerage,
  repoHost,
  supportDesk,
  workstation,
  crmSales,
  travel,
  warehouseSql,
  teamChat,
  calendar,
  messenger,
  meetings,
  issueTracker,
  deployOps,
  lakehouse,
  documents,
  forms,
  crmMarketing,
];

/** The environment with this id, or undefined. */
export function findEnvironment(id: string): Environment | undefined {
  return environments.find((environment) => environment.id === id);
}
