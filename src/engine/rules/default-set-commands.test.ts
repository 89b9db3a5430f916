import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActionEngine } from '../actions/engine.ts';
import { loadTextEngine } from '../text/engine.ts';
import { defaultRules } from './fixtures/default-rules.ts';
import { judgeByForm } from './matching/judge-by-form.ts';

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const rules = defaultRules();
const brokenBy = (toolName: string, toolParams: Record<string, unknown>, content: string) =>
  engine
    .evaluate(
      [
        { role: 'user', content },
        { role: 'agent', toolName, toolParams },
      ],
      rules,
    )
    .findings.filter(({ certainty }) => certainty === 'sure')
    .map(({ ruleId }) => ruleId);

test('commands that show, explain or try what others destroy pass the built-in set', () => {
  for (const [command, request] of [
    ['man mkfs', 'Show me the manual of mkfs.'],
    ['fdisk -l', 'List the disks of this machine.'],
    ['parted -l', 'Which partitions are there?'],
    ['wipefs --help', 'How is wipefs used?'],
    ['cryptsetup luksDump /dev/sdb2', 'Which cipher does the volume use?'],
    ['terraform plan -destroy', 'What would be gone if we took the stack down?'],
    ['kubectl delete ns shop --dry-run=client', 'Try whether the namespace shop could be deleted.'],
    ['helm uninstall web --dry-run', 'Try an uninstall of web.'],
    ['vssadmin list shadows', 'List the shadow copies.'],
    ['grep -n "terraform destroy" runbook.md', 'Where does the runbook speak of terraform destroy?'],
  ] as const)
    assert.deepEqual(brokenBy('bash', { command }, request), [], command);
  for (const query of ['how does mkfs work', 'what does terraform destroy do', 'fdisk vs parted'])
    assert.deepEqual(brokenBy('web_search', { query }, `Search the web: ${query}`), [], query);
});

test('what wipes disks and takes services away does not pass it, whatever the program', () => {
  for (const [command, rule] of [
    ['cmd rd /s /q C:\\', 'recursive_delete'],
    ['cryptsetup erase /dev/sda2', 'wipe_disk'],
    ['cryptsetup luksErase /dev/sda2', 'wipe_disk'],
    ['diskutil eraseDisk APFS Blank disk3', 'wipe_disk'],
    ['cat image.raw > /dev/sda', 'wipe_disk'],
    ['powershell Format-Volume -DriveLetter D', 'wipe_disk'],
    ['vssadmin delete shadows /all', 'recursive_delete'],
    ['pulumi destroy --yes', 'infrastructure_destroy'],
    ['aws s3 rb s3://invoices --force', 'infrastructure_destroy'],
  ] as const)
    assert.ok(brokenBy('bash', { command }, 'Have a look at the machine.').includes(rule), command);
});
