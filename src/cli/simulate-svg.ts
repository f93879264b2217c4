type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element; children are markup already. Numbers are cut to two decimals. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(attributeText(value))}"`);
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

/** An element that holds text: `text`, `title`, `desc`. */
export function textElement(name: string, attributes: Attributes, content: string): string {
  return element(name, attributes, escape(content));
}

function attributeText(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
