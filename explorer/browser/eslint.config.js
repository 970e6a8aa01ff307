import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const tseslint = createRequire(new URL("../../build/browser/package.json", import.meta.url))(
  "typescript-eslint",
);

export default tseslint.config(
  { ignores: ["**/*.js"] },
  {
    files: ["explorer/**/*.ts", "tests/typescript/**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "./tsconfig.tests.json"],
        tsconfigRootDir: fileURLToPath(new URL(".", import.meta.url)),
      },
    },
    rules: {
      "max-lines-per-function": ["error", { max: 80 }],
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: "test" }] },
      ],
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
);
