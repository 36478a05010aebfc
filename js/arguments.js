// Checks of the arguments that callers pass, with one wording for every module of this package.

/** @type {<T>(value: T, name: string) => T & string} */
export function text(value, name) {
  if (typeof value !== "string") throw unfit(value, name, "a string");
  return value;
}

/** @type {<T>(value: T, name: string) => T & number} */
export function number(value, name) {
  if (typeof value !== "number") throw unfit(value, name, "a number");
  return value;
}

/** @type {<T>(value: T, name: string) => T & boolean} */
export function flag(value, name) {
  if (typeof value !== "boolean") throw unfit(value, name, "true or false");
  return value;
}

/** @type {<T>(value: T, name: string) => T & Function} */
export function callable(value, name) {
  if (typeof value !== "function") throw unfit(value, name, "a function");
  return value;
}

/** @type {<T>(value: T, name: string) => T & object} */
export function object(value, name) {
  if (typeof value !== "object" || value === null) throw unfit(value, name, "an object");
  return value;
}

/** @type {<T>(value: T, name: string) => T} */
export function array(value, name) {
  if (!Array.isArray(value)) throw unfit(value, name, "an array");
  return value;
}

/** @type {<T>(value: readonly T[], name: string) => readonly T[]} */
export function texts(value, name) {
  // Unlike `map`, `Array.from` visits holes.
  return Array.from(array(value, name), (one, at) => text(one, `${name}[${at}]`));
}

/**
 * `undefined` for an argument that was left out, else what `check` returns for it.
 *
 * @type {<T, U>(check: (value: T, name: string) => U, value: T | null | undefined, name: string) => U | undefined}
 */
export function optional(check, value, name) {
  return value === undefined || value === null ? undefined : check(value, name);
}

/**
 * The error for an argument that is not a `wanted` value.
 *
 * @type {(value: unknown, name: string, wanted: string) => TypeError}
 */
export function unfit(value, name, wanted) {
  const error = new TypeError(`\`${name}\` must be ${wanted}, but it is ${kind(value)}`);
  return Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
}

/**
 * How an error describes a value: a number by its value, anything else by its kind.
 *
 * @type {(value: unknown) => string}
 */
function kind(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * A value in a form that survives JSON: a string stays itself, and no other value becomes a string.
 * `JSON.stringify` alone would drop a function, turn NaN into `null`, and call `toJSON`.
 *
 * @type {(value: unknown) => unknown}
 */
export function jsonSafe(value) {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
    case "bigint":
      // Only whether it counts as false matters to the engine.
      return value ? 1 : 0;
    default:
      if (value === null) return null;
      return Array.isArray(value) ? [] : {};
  }
}

/**
 * A request as JSON; a function or `undefined` becomes `null`. Throws for a nested value that JSON would leave
 * out or turn into `null`.
 *
 * @param {unknown} value
 * @param {string} [code] the code of the error for a value that JSON cannot hold
 */
export function json(value, code) {
  /** @type {(key: string, value: unknown) => unknown} */
  const checked = (key, value) => {
    const isFiniteNumber = typeof value !== "number" || Number.isFinite(value);
    if (
      typeof value === "bigint" ||
      (key !== "" && (!isFiniteNumber || ["function", "symbol"].includes(typeof value)))
    )
      throw unfit(value, key || "request", "a value that JSON holds");
    return value;
  };
  try {
    return JSON.stringify(value, checked) ?? "null";
  } catch (error) {
    throw code ? Object.assign(/** @type {Error} */ (error), { code }) : error;
  }
}

/**
 * The items of an array, holes included, each made by `make`.
 *
 * @type {<T, U>(list: readonly T[], make: (item: T | undefined) => U) => U[]}
 */
export function each(list, make) {
  /** @type {ReturnType<typeof make>[]} */
  const items = [];
  for (let at = 0; at < list.length; at++) items.push(make(list[at]));
  return items;
}
