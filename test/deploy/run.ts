/**
 * `npm run manifests`: checks the output of kustomize for deploy/kubernetes against Kubernetes' own schemas, in which
 * unknown fields are faults, and the units of deploy/systemd if systemd is installed. Needs Go and Python, and fetches
 * kustomize and the validator once (`.dueday/manifests`). Last line: `manifests: N checks, 0 failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const TOOLS = join(ROOT, '.dueday/manifests');
const KUSTOMIZE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1';
const VALIDATE = 'kubernetes-validate==1.37.0';
/** The oldest release of Kubernetes that is still maintained, and the newest. */
const RELEASES = ['1.34', '1.37'] as const;

interface Check {
  readonly name: string;
  /** What went wrong; null if the check holds. */
  readonly fault: string | null;
}

/** @throws Error with what the command said, if it does not end with 0 */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(status)}: ${stdout}${stderr}`);
  return stdout;
}

function check(name: string, holds: () => void): Check {
  try {
    holds();
    return { name, fault: null };
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error) };
  }
}

function kustomize(): string {
  const program = join(TOOLS, 'kustomize');
  if (!existsSync(program)) run('go', ['install', KUSTOMIZE], { GOBIN: TOOLS });
  return program;
}

function validate(): string {
  const program = join(TOOLS, 'python/bin/kubernetes-validate');
  if (existsSync(program)) return program;
  run('python3', ['-m', 'venv', join(TOOLS, 'python')]);
  run(join(TOOLS, 'python/bin/pip'), ['install', '--quiet', VALIDATE]);
  return program;
}

function hasSystemd(): boolean {
  return spawnSync('systemd-analyze', ['--version']).status === 0;
}

function checkUnits(): readonly Check[] {
  if (!hasSystemd()) {
    process.stdout.write('systemd is not installed: its units are not checked\n');
    return [];
  }
  const units = readdirSync(join(ROOT, 'deploy/systemd'));
  return units.map((unit) =>
    check(`${unit} is a valid unit`, () => {
      // The program that the unit starts is not on this machine; everything else that systemd-analyze reports is a fault.
      const args = ['--man=no', '--recursive-errors=no', 'verify', join(ROOT, 'deploy/systemd', unit)];
      const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      const faults = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/is not executable/.test(line));
      if (faults.length > 0) throw new Error(faults.join('\n'));
    }),
  );
}

/** @throws Error with every field of a manifest that the release does not know, or that has another shape there */
function hold(manifests: string, release: string): void {
  run(validate(), ['--strict', '--quiet', '--kubernetes-version', release, manifests]);
}

function checkManifests(): readonly Check[] {
  const [rendered, mistaken] = ['rendered.yaml', 'mistaken.yaml'].map((name) => join(TOOLS, name)) as [string, string];
  const made = check('kustomize build deploy/kubernetes', () => {
    const manifests = run(kustomize(), ['build', join(ROOT, 'deploy/kubernetes')]);
    writeFileSync(rendered, manifests);
    writeFileSync(mistaken, manifests.replace('readinessProbe:', 'readynessProbe:'));
  });
  if (made.fault !== null) return [made];
  return [
    made,
    ...RELEASES.map((release) =>
      check(`every manifest is valid for Kubernetes ${release}`, () => hold(rendered, release)),
    ),
    check('a field with an unknown name is refused', () => {
      const { fault } = check('', () => hold(mistaken, RELEASES[0]));
      if (fault?.includes("'readynessProbe' was unexpected") !== true) throw new Error(`it was: ${String(fault)}`);
    }),
  ];
}

mkdirSync(TOOLS, { recursive: true });
const checks = [...checkManifests(), ...checkUnits()];
for (const { name, fault } of checks) {
  process.stdout.write(`${fault === null ? 'ok    ' : 'FAILED'} ${name}${fault === null ? '' : `: ${fault}`}\n`);
}
const failed = checks.filter(({ fault }) => fault !== null).length;
process.stdout.write(`manifests: ${checks.length} checks, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
