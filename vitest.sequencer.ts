// The order of test files: those that take longest come first, so that two workers end together. The list needs no more
// than the files of half a minute; what a machine remembers of its last run orders the rest.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'server/test/delivery/worker/delivery-workers.test.ts',
  'server/test/shards/shards.test.ts',
  'cockpit/test/every-screen.test.ts',
  'cockpit/test/docs.test.ts',
  'server/test/program/serve.test.ts',
  'server/test/delivery/worker/delivery-fairness.test.ts',
  'server/test/embedded-postgres/embedded-restart.test.ts',
  'server/test/embedded-postgres/embedded.test.ts',
  'sdk/test/away.test.ts',
  'server/test/api-wide/security.test.ts',
  'server/test/resources/sign-in/passwords.test.ts',
  'server/test/api-wide/crash.test.ts',
  'server/test/embedded-postgres/embedded-crash.test.ts',
  'sdk/test/import.test.ts',
  'server/test/delivery/attempt/delivery-secret.test.ts',
  'server/test/resources/integrations/inbound-crash.test.ts',
  'server/test/program/commands.test.ts',
  'sdk/test/readme.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((file) => moduleId.endsWith(file))
  return place === -1 ? longest.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
