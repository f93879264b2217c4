import { createClock } from '../platform/clock';
import { type Config, DAEMON_NEEDS, loadConfig } from '../config';
import { CommandError } from '../process/command-error';
import { diagnoseCertificates } from '../process/diagnosis/certificates';
import type { Finding } from '../process/diagnosis/finding';
import { diagnoseInstallation } from '../process/diagnosis/installation';
import { diagnoseLedger } from '../process/diagnosis/ledger';
import { diagnoseMail, diagnoseService } from '../process/diagnosis/service';
import { diagnoseTemporal } from '../process/diagnosis/temporal';
import { printObjects, printTable } from './output';

/**
 * Reports the state of each dependency, and what to do.
 * @throws CommandError if a check has failed; warnings do not count
 */
export async function runDoctor({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = loadConfig(process.env, DAEMON_NEEDS);
  const findings = await diagnose(config);
  if (json) printObjects(findings);
  else printTable([['CHECK', 'STATE', 'FOUND', 'WHAT TO DO'], ...findings.map(rowOf)]);
  const failed = findings.filter(({ state }) => state === 'failed');
  if (failed.length > 0) throw new CommandError(`failed: ${failed.map(({ check }) => check).join(', ')}`);
}

/** Checks everything that a daemon with this configuration depends on. Never rejects because of a finding. */
async function diagnose(config: Config): Promise<readonly Finding[]> {
  const clock = createClock(config.TEST_CLOCK ?? null);
  const found = await Promise.all([
    diagnoseLedger(config, clock),
    diagnoseTemporal(config, clock),
    diagnoseService(config, clock),
    diagnoseMail(config),
    diagnoseInstallation(config, clock),
    diagnoseCertificates(config, clock),
  ]);
  return found.flat();
}

function rowOf({ check, state, found, advice }: Finding): string[] {
  return [check, state, found, advice ?? ''];
}
