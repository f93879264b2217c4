import { type Locked, nameAndVersion } from './licences';
import type { Component, Sbom } from './npm';

/** Where a package comes from, and what fixes its content: names of properties, as CycloneDX recommends them for programs' own. */
const SOURCE = 'dueday:source';
const INTEGRITY = 'dueday:integrity';

/** The origin of packages for which the lock file has no address. */
const REGISTRY = 'the public registry of npm';

/** The document with the licence and the origin of each component, as the lock file has them. @throws Error if one lacks either */
export function withOrigins(sbom: Sbom, locked: readonly Locked[]): Sbom {
  const byName = new Map(locked.map((each) => [nameAndVersion(each), each]));
  const components = sbom.components?.map((component) => withOrigin(component, byName.get(component['bom-ref'])));
  return { ...sbom, ...(components === undefined ? {} : { components }) };
}

function withOrigin(component: Component, locked: Locked | undefined): Component {
  if (locked === undefined) throw new Error(`the lock file lacks ${component['bom-ref']}`);
  const { licence, integrity, resolved } = locked;
  if (licence === null || integrity === null) throw new Error(`${component['bom-ref']} has no licence, or no hash`);
  const properties = [
    { name: SOURCE, value: resolved ?? REGISTRY },
    { name: INTEGRITY, value: integrity },
  ];
  return {
    ...component,
    licenses: component.licenses ?? [{ license: { name: licence } }],
    properties: [...(component.properties ?? []), ...properties],
  };
}
