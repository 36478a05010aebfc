// pi-hashline: line anchors for coding agents. index.d.ts, which the build generates, documents
// every export.

import { native } from "./native.js";

export const { parseAnchor, Session, tagLine, tagLines, verify, version } = native;
