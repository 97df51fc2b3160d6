"""Who answers: model names, the client, the gateway, the embedder and the embedded roles."""
