import { claims } from "./claims.mjs";

claims("pi");
