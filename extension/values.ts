// Values from outside, of which nothing is known: what a host, a model or another extension hands over.

/** An object whose fields may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; one without fields if it is none. */
export function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Whether the value has fields and is no list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as a list; a single value is a list of one. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The value if it is a text that is not empty. */
export function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts among some values and in lists of them. */
export function strings(...values: unknown[]): string[] {
  return values
    .flatMap(list)
    .map(string)
    .filter((text) => text !== undefined);
}

/** The value if it is a whole number. */
export function integer(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}
