// Values of unknown type, which come from a host, a model or another extension.

/** An object whose fields may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value if it is an object, else an empty object. */
export function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Whether the value is an object and not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as a list; a single value is a list of one. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The message of an error, or another thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The value if it is a string and not empty. */
export function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The non-empty strings among the values, and in values that are lists. */
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
