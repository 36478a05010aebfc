/**
 * The extension for pi and oh-my-pi: registers `read`, `grep`, `apply_hash` and `/hashline` with the
 * host that loads it. `host` is the object that a host gives to each extension.
 */
declare function hashline(host: object): Promise<void>;

export default hashline;
