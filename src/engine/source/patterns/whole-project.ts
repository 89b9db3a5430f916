import type { SourceModule } from '../modules.ts';
import { withoutComments } from './code.ts';
import type { ProjectNeeds } from './find-patterns.ts';
import { isGuarded } from './guards.ts';

/** Answers what matches ask of all files together, each question once. */
export class WholeProject {
  readonly #modules: readonly SourceModule[];
  readonly #said = new Map<string, boolean>();
  #guarded: boolean | undefined;

  constructor(modules: readonly SourceModule[]) {
    this.#modules = modules;
  }

  #says(wanted: RegExp): boolean {
    let said = this.#said.get(wanted.source);
    if (said === undefined) {
      said = this.#modules.some(({ text }) => wanted.test(text) && wanted.test(withoutComments(text)));
      this.#said.set(wanted.source, said);
    }
    return said;
  }

  meets({ project, unguarded }: ProjectNeeds): boolean {
    if (!project.every((wanted) => this.#says(wanted))) return false;
    return unguarded === undefined || !(this.#guarded ??= isGuarded(this.#modules));
  }
}
