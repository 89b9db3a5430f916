/** Programs that speak to a cluster or a cloud: `kubectl logs`, `docker ps`, `aws ec2 describe-instances`. */
import { destroysService } from './service-destroyers.ts';
import { type Command, type ShellReading, add } from './shell-command.ts';

export const clouds = new Set([
  'terraform',
  'tofu',
  'kubectl',
  'helm',
  'docker',
  'podman',
  'aws',
  'gcloud',
  'az',
]);

const deploys = /^(?:apply|deploy|install|upgrade|run|rollout)$/;
const shows =
  /^(?:get|describe|logs?|top|ps|images|inspect|list|ls|status|show|plan|history|version|explain|diff|events|(?:get|list|describe)-.*)$/;

/** What such a command does; a word that only shows says so where no other one acts. */
export function readCloud(command: Command, out: ShellReading): void {
  const words = command.rest.filter((word) => !word.startsWith('-'));
  const isShown = words.slice(0, 3).some((word) => shows.test(word));
  if (destroysService(command)) add(out, 'delete');
  else if (isShown && !words.slice(0, 2).some((word) => acts.test(word))) add(out, 'read');
  else if (words.some((word) => deploys.test(word))) add(out, 'deploy');
}

/** `rollout status` shows, `run status` runs. */
const acts = /^(?:apply|deploy|install|upgrade|run|exec|create|set|patch|edit|scale)$/;
