mod connectors;
mod create;
mod enabled;
mod lifecycle;
