/**
 * `npm run supply-chain [-- --sbom <file>]`: what dueday is made of. Writes the bill of materials (CycloneDX, sbom.cdx.json in dist
 * unless another file is named), with licence and provenance of each package; checks the licences of what runs, where packages
 * come from, known vulnerabilities, and what the production image would hold. If the registry's advisories cannot be asked, it
 * says so and fails. Needs a build. Last line: `supply-chain: N checks, 0 failed`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planImage } from '../../deploy/image.cjs';
import { type Check, report, runCampaign, say } from '../support/campaign';
import { countLicences, isPermitted, nameAndVersion, readLock, withoutFixedContent } from './licences';
import { advisoriesCheck, askVulnerabilities, readSbom } from './npm';
import { withOrigins } from './origins';
import { notForProduction } from './production';

const ROOT = join(__dirname, '..', '..');

function nothing(name: string, wrong: readonly string[]): Check {
  return { name, holds: wrong.length === 0, found: wrong.length === 0 ? 'none' : wrong.join(', ') };
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { sbom: { type: 'string', default: join(ROOT, 'dist', 'sbom.cdx.json') } } });
  const locked = readLock(ROOT);
  const running = locked.filter(({ isDev }) => !isDev);
  const names = new Set(running.map(nameAndVersion));
  const sbom = withOrigins(await readSbom(ROOT, names), running);
  await writeFile(values.sbom, JSON.stringify(sbom, null, 2));
  say(`sbom: ${names.size} components in ${values.sbom}`);
  const licences = countLicences(running).map(([licence, count]) => `${count} ${licence}`);
  say(`licences: ${licences.join(', ')}`);
  const vulnerabilities = await askVulnerabilities(ROOT);
  say(`vulnerabilities: ${vulnerabilities?.text ?? 'not asked'}`);
  const plan = planImage(ROOT);
  say(`image: ${plan.files.length} files of ours, ${plan.packages.length} packages`);

  const named = ({ folder, licence }: (typeof locked)[number]) => `${folder} (${licence ?? 'no licence'})`;
  const checks: readonly Check[] = [
    nothing(
      'packages that run under a licence that is not permitted',
      running.filter(({ licence }) => !isPermitted(licence)).map(named),
    ),
    nothing('packages whose content is not fixed, or of another registry', withoutFixedContent(locked).map(named)),
    nothing('what has no place in the production image', notForProduction(plan, locked)),
    advisoriesCheck(vulnerabilities),
  ];
  return report('supply-chain', checks);
}

runCampaign(main);
