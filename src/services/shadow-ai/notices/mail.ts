import { toIsoTime } from '#base/clock.ts';
import type { Mail } from '#base/mail/mailer.ts';
import type { Notice } from './notices.ts';

const mostListed = 50;
const maxCharacters = 300;

/** What a device reported, as one line, so that it cannot imitate lines of ours. */
const line = (text: string) =>
  text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, maxCharacters)
    .toWellFormed();

const itemOf = ({ isNewTool, detection, name, severity }: Notice) =>
  [
    `- ${isNewTool ? 'New tool: ' : ''}${line(name)} [${severity}] on ${line(detection.deviceName ?? detection.deviceUid)}`,
    `  ${detection.accountName === null ? '' : `account ${line(detection.accountName)}, `}since ${toIsoTime(detection.startedAt)}`,
    ...(detection.tags.length === 0 ? [] : [`  ${detection.tags.map(line).join(', ')}`]),
  ].join('\n');

/** One mail about several detections. */
export function mailOf(notices: readonly Notice[]): Omit<Mail, 'to'> {
  const tools = notices.filter(({ isNewTool }) => isNewTool);
  const [first] = tools.length > 0 ? tools : notices;
  const more = notices.length - mostListed;
  return {
    subject: `[Bulwark] ${tools.length > 0 ? 'New AI tool' : 'AI tool detected'}: ${first?.name ?? ''}${notices.length > 1 ? ` and ${notices.length - 1} more` : ''}`,
    text: [
      'Shadow AI found on the devices of your organisation:',
      '',
      ...notices.slice(0, mostListed).map(itemOf),
      ...(more > 0 ? ['', `${more} more are in the dashboard, under Activity → Detections.`] : []),
    ].join('\n'),
  };
}
