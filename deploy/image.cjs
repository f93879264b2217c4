/**
 * `node deploy/image.cjs <folder> [command…]`: writes the root file system of an image: Node, the libraries that it links
 * against, the certificate authorities that it trusts, and the part of the built program that its commands load. Nothing else: no
 * shell, no package manager, no sources except migrations, no development packages, no simulator. The production image leaves out
 * {@link LOCAL_COMMANDS}; those named after the folder are kept, with the simulator.
 */
const { execFileSync } = require('node:child_process');
const {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} = require('node:fs');
const { builtinModules } = require('node:module');
const { dirname, join, relative, resolve, sep } = require('node:path');
const { rootCertificates } = require('node:tls');

/** The modules of the commands that need the payment service's simulator. If one is missing, `src/cli/program.ts` says so. */
const LOCAL_COMMANDS = {
  start: 'dist/src/cli/start.js',
  demo: 'dist/src/cli/demo/run-demo.js',
  sandbox: 'dist/src/cli/sandbox.js',
  simulate: 'dist/src/cli/simulate.js',
};

/** What the program opens by path, without `require`. */
const OPENED = [
  'package.json',
  'dist/workflow-bundle.js',
  'dist/deterministic.tsbuildinfo',
  'dist/console',
  'src/ledger/migrations',
];
/** The documentation, if `npm run docs` has built it. */
const SITE = 'dist/docs';
const ENTRY = 'bin/dueday.js';
const REQUIRED = /\b(?:require|import|require\.resolve)\(\s*["']([^"']+)["']\s*\)/g;

/** What the image contains, as paths within the checkout: files of ours, and whole folders of packages. */
function planImage(root, kept = []) {
  const strange = kept.filter((command) => LOCAL_COMMANDS[command] === undefined);
  const known = Object.keys(LOCAL_COMMANDS).join(', ');
  if (strange.length > 0) throw new RangeError(`expected commands of ${known}; got ${strange.join(', ')}`);
  const leftOut = new Set(
    Object.entries(LOCAL_COMMANDS).flatMap(([command, file]) => (kept.includes(command) ? [] : [file])),
  );
  const site = existsSync(join(root, SITE)) ? [SITE] : [];
  const files = new Set([...OPENED, ...site].flatMap((path) => filesBelow(root, path)));
  const packages = new Set();
  const waiting = [ENTRY];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || leftOut.has(file)) continue;
    files.add(file);
    for (const [, wanted] of readFileSync(join(root, file), 'utf8').matchAll(REQUIRED)) {
      if (wanted.startsWith('.')) waiting.push(moduleFile(root, file, wanted));
      else if (!isBuiltIn(wanted)) addPackage(root, packages, dirname(file), packageName(wanted));
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

function filesBelow(root, path) {
  const entries = readdirSync(dirname(join(root, path)), { withFileTypes: true });
  const entry = entries.find(({ name }) => path.endsWith(`/${name}`) || path === name);
  if (entry === undefined) throw new Error(`${path} is missing: run npm run build first`);
  if (!entry.isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}

function moduleFile(root, from, wanted) {
  const path = join(dirname(from), wanted);
  const found = [path, `${path}.js`, `${path}/index.js`].find(
    (each) => each.endsWith('.js') && existsSync(join(root, each)),
  );
  if (found === undefined) throw new Error(`${from} needs ${wanted}, which is missing: run npm run build first`);
  return found.split(sep).join('/');
}

function isBuiltIn(wanted) {
  return wanted.startsWith('node:') || builtinModules.includes(wanted);
}

function packageName(wanted) {
  return wanted
    .split('/')
    .slice(0, wanted.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Adds the package that a file in `from` loads by this name, and everything that the package depends on. */
function addPackage(root, packages, from, name, isOptional = false) {
  const folder = packageFolder(root, from, name);
  if (folder === null) {
    if (isOptional) return;
    throw new Error(`${from} needs ${name}, which is not installed: run npm ci first`);
  }
  if (packages.has(folder)) return;
  packages.add(folder);
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  for (const each of Object.keys(dependencies))
    addPackage(root, packages, folder, each, optionalDependencies[each] !== undefined);
  for (const each of Object.keys(optionalDependencies)) addPackage(root, packages, folder, each, true);
  for (const each of Object.keys(peerDependencies))
    if (peerDependenciesMeta[each]?.optional !== true) addPackage(root, packages, folder, each, true);
}

function packageFolder(root, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(root, found, 'package.json'))) return found.split(sep).join('/');
    if (folder === '.' || folder === dirname(folder)) return null;
  }
}

/** Libraries of the system that Node and the packages' native modules link against, and the loader itself. */
function librariesOf(root, packages) {
  const natives = packages.flatMap((folder) =>
    filesBelow(root, folder).filter((file) => file.endsWith('.node') && isOwnPackage(folder, file) && isOfHere(file)),
  );
  const linked = [process.execPath, ...natives.map((file) => join(root, file))].flatMap((file) => {
    const said = execFileSync('ldd', [file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return [...said.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, library]) => library);
  });
  return [...new Set(linked)].sort();
}

/** Whether the file is the package's own, and not that of a package nested in it. */
function isOwnPackage(folder, file) {
  return !file.slice(folder.length).includes('/node_modules/');
}

/** Whether the file is for this platform: one package contains Temporal's core for every platform. */
function isOfHere(file) {
  const platform = /\/releases\/([^/]+)(\/|$)/.exec(file)?.[1];
  const processor = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return platform === undefined || platform === `${processor}-unknown-linux-gnu`;
}

/** Writes the root of the image. @returns the plan that it follows */
function writeImage(root, into, kept = []) {
  const plan = planImage(root, kept);
  const app = join(into, 'app');
  const copy = (from, to, filter) => {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, dereference: true, preserveTimestamps: true, filter });
  };
  for (const file of plan.files) copy(join(root, file), join(app, file));
  for (const folder of plan.packages) {
    const isWanted = (path) => {
      const within = relative(root, path).split(sep).join('/');
      return isOwnPackage(folder, `${within}/`) && isOfHere(within);
    };
    copy(join(root, folder), join(app, folder), isWanted);
  }
  for (const library of librariesOf(root, plan.packages)) copy(realpathSync(library), join(into, library));
  copy(realpathSync(process.execPath), join(into, 'usr/local/bin/node'));
  mkdirSync(join(into, 'tmp'));
  chmodSync(join(into, 'tmp'), 0o1777);
  // Node contains its certificate authorities; Temporal's core uses those of the system.
  mkdirSync(join(into, 'etc/ssl/certs'), { recursive: true });
  writeFileSync(join(into, 'etc/ssl/certs/ca-certificates.crt'), `${rootCertificates.join('\n')}\n`);
  writeFileSync(join(into, 'etc/passwd'), 'node:x:1000:1000:dueday:/tmp:/nonexistent\n');
  writeFileSync(join(into, 'etc/group'), 'node:x:1000:\n');
  writeFileSync(join(into, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  return plan;
}

if (require.main === module) {
  const [into, ...kept] = process.argv.slice(2);
  if (into === undefined) throw new RangeError('expected the folder to write the image to');
  const { files, packages } = writeImage(resolve(__dirname, '..'), resolve(into), kept);
  console.log(`image: ${files.length} files, ${packages.length} packages`);
}

module.exports = { LOCAL_COMMANDS, planImage, writeImage };
