import { defineConfig } from "vite";

// Fixed names and no comments about tools: the same sources always give the same files, which are committed.
export default defineConfig({
  base: "./",
  publicDir: "public",
  build: {
    target: "es2022",
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "app[extname]" },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
});
