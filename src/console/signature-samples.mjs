const LANGUAGES = [
  ['ts', 'TypeScript'],
  ['python', 'Python'],
  ['bash', 'Shell with OpenSSL'],
];

/**
 * How to verify the signature of an event, from the integration guide, whose code is tested as part of whole shops: of each
 * block of the section about events, everything before the function that handles an event.
 * @param {string} guide docs/guides/integrate.md
 * @throws {Error} if the guide has no such block for a language
 */
export function samplesOf(guide) {
  const [, section = ''] = /^## Handle events\n(.*?)^## /ms.exec(guide) ?? [];
  return LANGUAGES.map(([fence, language]) => {
    const [, block] = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'ms').exec(section) ?? [];
    if (block === undefined) throw new Error(`the integration guide has no ${fence} block about events`);
    const [code] = block.split(/^(?:function|def) handle\b/m);
    return { language, code: code.trim() };
  });
}
