import { show } from "@cogency/protocol/testkit";
import type { DriverCase } from "../driver-case.ts";
import type { Subject } from "../subject.ts";

/** The case that holds a driver to its declarations: what it says that it cannot do, it must not be able to do. */
export function declaredCase(cases: readonly DriverCase[]): DriverCase {
  const proofs = cases.filter(({ proves }) => proves !== undefined);
  return {
    name: "a driver cannot do what it declares that it cannot",
    async check(subject) {
      const isDeclared = ({ name }: DriverCase) => Object.hasOwn(subject.declared, name);
      for (const proof of proofs.filter(isDeclared)) {
        const others = proofs.filter(({ proves }) => proves !== proof.proves && proof.needs?.some((n) => n === proves));
        // Without calls nobody knows what it would do with several.
        if (others.some(isDeclared) || !(await passes(proof, subject))) continue;
        throw new Error(
          `The case ${show(proof.name)} is declared, and it passes: declare no ${show(proof.proves)} case.`,
        );
      }
    },
  };
}

async function passes({ check }: DriverCase, subject: Subject): Promise<boolean> {
  try {
    await check(subject);
    return true;
  } catch {
    return false;
  }
}
