import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// `vite` serves the sources, and asks `server.ts` for the conversations.
export default defineConfig({
  plugins: [react()],
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:8080" } },
});
