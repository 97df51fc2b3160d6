"""MemoryBank (Zhong et al., 2023): our own implementation, in two configurations."""
