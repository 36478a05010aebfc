import { claims } from "./claims.mjs";

claims("omp182");
