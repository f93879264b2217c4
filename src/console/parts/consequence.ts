/** What an action does, as a paragraph of its dialog; the words of `grave` stand out. */
export type Consequence = string | { readonly grave: string; readonly rest: string };
