const LANGUAGES = [
  ['ts', 'TypeScript'],
  ['python', 'Python'],
  ['bash', 'Shell with OpenSSL'],
];

/**
 * Samples that verify the signature of an event, one for each language. A sample is the start of a code block in the
 * section "Handle events" of the integration guide, up to the function that handles an event. Tests run the guide's
 * code as whole shops.
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
