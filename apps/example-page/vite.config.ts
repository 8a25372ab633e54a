import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  server: {
    host: "127.0.0.1",
    // `vite` serves the sources, and asks `server.ts` for the conversations, which refuses pages of another host than its own.
    proxy: { "/api": { target: "http://127.0.0.1:8080", changeOrigin: false } },
  },
});
